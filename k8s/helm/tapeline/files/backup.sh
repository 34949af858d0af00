#!/bin/sh
# Dumps every database and restores each dump into a server of its own: an unrestored dump proves nothing.
set -eu

databases='tapeline_identity tapeline_api_key tapeline_audit tapeline_config tapeline_market_data'
tables="select string_agg(relname, ',' order by relname) from pg_class
  where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace"
migrated='select max(name) from kysely_migration'
name=$(date -u +%Y-%m-%dT%H%M%SZ)
part=/backups/$name.part
scratch=/tmp/restore
kept=${BACKUPS_KEPT:-14}

# Space for this backup: what an interrupted one left (a job runs at most two hours), and the oldest of too many.
find /backups -maxdepth 1 -name '*.part' -mmin +180 -exec rm -rf {} +
ls -1d /backups/*Z 2>/dev/null | sort | head -n "-$((kept > 1 ? kept - 1 : 1))" | xargs -r rm -r

trap 'rm -rf "$part"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$part"
for database in $databases; do
  pg_dump --format=custom --no-owner --no-privileges --file="$part/$database.dump" "$database"
done

initdb --pgdata="$scratch" --auth=trust --username=restore >/dev/null
pg_ctl --pgdata="$scratch" --wait --silent --log=/tmp/restore.log \
  --options="-c listen_addresses='' -c unix_socket_directories=/tmp -c fsync=off" start
for database in $databases; do
  restored="env -u PGPASSWORD PGHOST=/tmp PGUSER=restore"
  $restored createdb "$database"
  $restored pg_restore --exit-on-error --no-owner --no-privileges --dbname="$database" "$part/$database.dump"
  for question in "$tables" "$migrated"; do
    want=$(psql --no-psqlrc --tuples-only --no-align --command="$question" "$database")
    have=$($restored psql --no-psqlrc --tuples-only --no-align --command="$question" "$database")
    if [ "$want" != "$have" ]; then
      echo "$database: the restored dump has $have, the database $want" >&2
      exit 1
    fi
  done
  echo "$database: dumped and restored, $(wc -c <"$part/$database.dump") bytes"
done
pg_ctl --pgdata="$scratch" --wait --silent --mode=fast stop

mv "$part" "/backups/$name"
