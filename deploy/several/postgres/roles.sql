-- Two roles and a database. hgldp_owner makes the tables (hgldp migrate --grant hgldp_collector), manages the admins
-- and backs everything up; the collectors are hgldp_collector, which may do what src/hgldp/collector/log/postgres/
-- rights.py lists, and can make nothing. Run it with psql, as a superuser; run again, it changes the passwords and undoes
-- what a role has changed of itself. The passwords are in two files, so that no command line shows them:
--   HGLDP_OWNER_PASSWORD_FILE=… HGLDP_COLLECTOR_PASSWORD_FILE=… psql -d postgres -f roles.sql
\set ON_ERROR_STOP on
\set owner_password `cat "$HGLDP_OWNER_PASSWORD_FILE"`
\set collector_password `cat "$HGLDP_COLLECTOR_PASSWORD_FILE"`
-- No log repeats the passwords.
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
SET log_min_duration_statement = -1;
SELECT least(length(:'owner_password'), length(:'collector_password')) >= 16 AS long_enough \gset
\if :long_enough
\else
  DO $$ BEGIN RAISE EXCEPTION 'HGLDP_OWNER_PASSWORD_FILE and HGLDP_COLLECTOR_PASSWORD_FILE must each name a file with a password of 16 characters or more'; END $$;
\endif
SET password_encryption = 'scram-sha-256';

SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY['hgldp_owner', 'hgldp_collector']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE hgldp_owner LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS
  CONNECTION LIMIT 10 PASSWORD :'owner_password';
-- Eleven connections for each of seven collectors, or two poolers of forty: more of either need a higher limit.
ALTER ROLE hgldp_collector LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION NOBYPASSRLS
  CONNECTION LIMIT 80 PASSWORD :'collector_password';
ALTER ROLE hgldp_collector RESET ALL;
-- A collector that stands still in the middle of a transaction holds up nobody for longer than this.
ALTER ROLE hgldp_collector SET idle_in_transaction_session_timeout = '30s';
ALTER ROLE hgldp_collector SET search_path = public;
-- Otherwise one query could fill the disk. Collectors sort next to nothing, and their 80 connections take 5 GB at most.
-- Only a superuser may raise it.
ALTER ROLE hgldp_collector SET temp_file_limit = '64MB';

SELECT 'CREATE DATABASE hgldp OWNER hgldp_owner TEMPLATE template0 ENCODING ''UTF8'''
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'hgldp') \gexec
ALTER ROLE hgldp_collector IN DATABASE hgldp RESET ALL;
REVOKE ALL ON DATABASE hgldp FROM PUBLIC;
GRANT CONNECT ON DATABASE hgldp TO hgldp_collector;
-- Collectors connect to no other database. If other roles use these two, grant them CONNECT. Close your own likewise.
REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;

\connect hgldp
ALTER SCHEMA public OWNER TO hgldp_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO hgldp_collector;
-- Otherwise any role could fill the disk with large objects, which belong to no table.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_import(text),
  lo_import(text, oid) FROM PUBLIC;
