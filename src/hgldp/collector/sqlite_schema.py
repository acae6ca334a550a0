"""The tables. `tasks`, `log` and `days` are facts; the others follow from them and could be thrown away."""

FORMAT = 3
SCHEMA = """
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, document BLOB NOT NULL, seed BLOB NOT NULL, terms TEXT NOT NULL,
  created REAL NOT NULL, write_digest BLOB NOT NULL UNIQUE, read_digest BLOB NOT NULL
);
CREATE TABLE log (
  position INTEGER PRIMARY KEY, grp INTEGER NOT NULL, time REAL NOT NULL, task INTEGER NOT NULL, kind INTEGER NOT NULL,
  bulletin BLOB NOT NULL, reports INTEGER NOT NULL, chain BLOB NOT NULL, ids BLOB NOT NULL, counts BLOB NOT NULL,
  symbols BLOB NOT NULL
);
CREATE INDEX log_of_task ON log (task);
CREATE TABLE bulletins (
  version TEXT PRIMARY KEY, task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL,
  published REAL NOT NULL, data BLOB NOT NULL
);
CREATE UNIQUE INDEX bulletins_of_task ON bulletins (task, epoch);
CREATE TABLE results (
  task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL, published REAL NOT NULL,
  reports INTEGER NOT NULL, bulletin TEXT NOT NULL, lines TEXT NOT NULL, PRIMARY KEY (task, epoch)
);
CREATE TABLE snapshots (
  task INTEGER PRIMARY KEY, position INTEGER NOT NULL, consumed INTEGER NOT NULL, state BLOB NOT NULL
);
CREATE TABLE days (task INTEGER NOT NULL, day INTEGER NOT NULL, reports INTEGER NOT NULL, PRIMARY KEY (task, day));
"""
INSERT_TASK = "INSERT INTO tasks VALUES (?,?,?,?,?,?,?,?)"
INSERT_ENTRY = "INSERT INTO log VALUES (?,?,?,?,?,?,?,?,?,?,?)"
INSERT_BULLETIN = "INSERT INTO bulletins VALUES (?,?,?,?,?,?)"
INSERT_RESULT = "INSERT INTO results VALUES (?,?,?,?,?,?,?)"
REPLACE_SNAPSHOT = "REPLACE INTO snapshots VALUES (?,?,?,?)"
ADD_TO_DAY = "INSERT INTO days VALUES (?,?,?) ON CONFLICT DO UPDATE SET reports = reports + excluded.reports"
