#!/bin/sh
# Outlives its parent: reads "+ pid start-time signal" and "- pid" and stops the remaining processes at end of input.
trap '' INT TERM HUP
left=''

forget() {
  kept=''
  for entry in $left; do
    [ "${entry%%:*}" = "$1" ] || kept="$kept $entry"
  done
  left=$kept
}

lives() { # pid start-time: a reused pid has another start time
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$2" ${stat##*) }
  [ "$2" != Z ] && [ "${21}" = "$1" ]
}

each() { # "signal" or a signal name
  alive=''
  for entry in $left; do
    pid=${entry%%:*}
    rest=${entry#*:}
    if lives "$pid" "${rest%%:*}"; then
      alive=1
      case $1 in
        own) kill -s "${rest#*:}" -- "-$pid" 2>/dev/null ;;
        none) ;;
        *) kill -s "$1" -- "-$pid" 2>/dev/null ;;
      esac
    fi
  done
}

while read -r verb pid start signal; do
  case $verb in
    +) left="$left $pid:$start:$signal" ;;
    -) forget "$pid" ;;
  esac
done

each own
tenths=0
while [ -n "$alive" ] && [ "$tenths" -lt 50 ]; do
  sleep 0.1
  tenths=$((tenths + 1))
  each none
done
[ -z "$alive" ] || each KILL
