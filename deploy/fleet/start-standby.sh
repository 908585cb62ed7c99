#!/bin/sh
# Copies the primary the first time, and then follows it until someone promotes it:
#   docker compose -f deploy/compose.fleet.yaml exec standby psql --username=dalapapa -c "SELECT pg_promote()"
set -e
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
    chown postgres "$data"
    until su-exec postgres pg_basebackup --pgdata="$data" --host=primary --username=dalapapa \
        --checkpoint=fast --write-recovery-conf; do
        sleep 1
    done
    chmod 700 "$data"
fi
exec su-exec postgres postgres -D "$data"
