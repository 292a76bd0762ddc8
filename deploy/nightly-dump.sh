#!/usr/bin/env bash
# Dumps the database every night at 02:00 UTC into /backup and keeps the last 14 dumps. A dump
# bears its name only once it is whole. The time of the file backup.stamp is that of the last one: see BACKUP_STAMP.
set -euo pipefail
folder=${BACKUP_FOLDER:-/backup}
keep=${BACKUP_KEEP:-14}

dump() {
  local name partial
  name=crier-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump
  partial=$folder/.$name.partial
  if pg_dump --format=custom --file="$partial" && pg_restore --list "$partial" >/dev/null; then
    mv "$partial" "$folder/$name"
    touch "$folder/backup.stamp"
    echo "dumped $name"
  else
    rm -f "$partial"
    echo "the dump failed: see the lines above" >&2
    return 1
  fi
  find "$folder" -maxdepth 1 -name 'crier-*.dump' | sort | head -n "-$keep" | xargs -r rm --
}

# Workers write the ledger of opt-outs here, as the user of the image.
if [ "$(id -u)" = 0 ]; then chown 10001:10001 "$folder"; fi

if [ "${1:-}" = once ]; then
  dump
  exit
fi
while true; do
  sleep $((($(date -u -d 'tomorrow 02:00' +%s) - $(date -u +%s)) % 86400 + 1))
  # One that fails is tried again an hour later.
  until dump; do sleep 3600; done
done
