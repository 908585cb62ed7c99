#!/bin/sh
# Once, when the primary is created: the standby may copy it.
echo "host replication dalapapa all scram-sha-256" >>"$PGDATA/pg_hba.conf"
