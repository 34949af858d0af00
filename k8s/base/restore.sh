#!/bin/sh
# Replaces the contents of a service's database by its dump; can be repeated. No process of the platform may run (k8s/README.md).
# sh restore.sh <backup> <database> [new-kafka]: the DATABASE_URL of the service is read from standard input. new-kafka: Kafka
# has lost its topics, so the offsets in the dump are those of messages that no longer exist.
set -eu

dump=/backups/$1/$2.dump
url=$(cat)
if [ ! -f "$dump" ]; then
  echo "$dump does not exist; backups: $(ls /backups | tr '\n' ' ')" >&2
  exit 1
fi

run() {
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname="$url" --command='set client_min_messages = warning' "$@"
}
# With a timeout: a process that still runs has locks. The comment would say that the migrations are complete (deploy/prepare.ts).
run --command="set lock_timeout = '10s'" --command='drop owned by current_user cascade' --command="comment on database $2 is null"
pg_restore --exit-on-error --no-owner --no-privileges --dbname="$url" "$dump"
if [ "${3:-}" = new-kafka ]; then
  run --command='delete from consumer_offset'
fi
echo "$2: restored from $dump"
