"""The tables of a collector's database. Facts are tasks, log and days; the other tables follow from them.

Reports do not stay for ever: `pruned` says up to where they are gone, and `kept` what each epoch had brought. A task
may limit that too: `kept_from` says with which epoch it begins, and `milestones` what the state was then. What an
earlier version published stays, and `takeovers` says from where on the rest follows from the facts.
"""

FILE = "collector.sqlite3"
FORMAT = 4
SCHEMA = """
CREATE TABLE service (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tasks (
  number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, document BLOB NOT NULL, seed BLOB NOT NULL, terms TEXT NOT NULL,
  created REAL NOT NULL, write_digest BLOB NOT NULL UNIQUE, read_digest BLOB NOT NULL, old_write_digest BLOB NOT NULL,
  old_until REAL NOT NULL
);
CREATE TABLE log (
  position INTEGER PRIMARY KEY, batch INTEGER NOT NULL, time REAL NOT NULL, task INTEGER NOT NULL,
  kind INTEGER NOT NULL, bulletin BLOB NOT NULL, reports INTEGER NOT NULL, chain BLOB NOT NULL, ids BLOB NOT NULL,
  counts BLOB NOT NULL, symbols BLOB NOT NULL
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
CREATE TABLE kept (
  task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL, consumed INTEGER NOT NULL,
  time REAL NOT NULL, chain BLOB NOT NULL, opened BLOB NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (task, epoch)
);
CREATE TABLE snapshots (
  task INTEGER PRIMARY KEY, position INTEGER NOT NULL, consumed INTEGER NOT NULL, state BLOB NOT NULL,
  upto INTEGER NOT NULL, chain BLOB NOT NULL, opened BLOB, closed REAL, digest BLOB NOT NULL
);
CREATE TABLE pruned (task INTEGER PRIMARY KEY, position INTEGER NOT NULL, chain BLOB NOT NULL);
CREATE TABLE ids (
  task INTEGER NOT NULL, number INTEGER NOT NULL, epoch INTEGER NOT NULL, data BLOB NOT NULL, digest BLOB,
  PRIMARY KEY (task, number)
);
CREATE TABLE days (task INTEGER NOT NULL, day INTEGER NOT NULL, reports INTEGER NOT NULL, PRIMARY KEY (task, day));
"""
# Folders of this format that were made before there were milestones, warm-ups, takeovers and hashes of upload ids get
# them at a start. What was given as a warm-up is a fact, and stays as long as its task.
ADDED = """
CREATE TABLE IF NOT EXISTS milestones (
  task INTEGER NOT NULL, epoch INTEGER NOT NULL, position INTEGER NOT NULL, consumed INTEGER NOT NULL,
  time REAL NOT NULL, kept_digest BLOB NOT NULL, shown BLOB NOT NULL, state BLOB NOT NULL, digest BLOB NOT NULL,
  PRIMARY KEY (task, epoch)
);
CREATE TABLE IF NOT EXISTS kept_from (task INTEGER PRIMARY KEY, epoch INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS warmups (task INTEGER PRIMARY KEY, given BLOB NOT NULL, digest BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS takeovers (
  task INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, position INTEGER NOT NULL, consumed INTEGER NOT NULL,
  time REAL NOT NULL, kept_digest BLOB NOT NULL, shown BLOB NOT NULL, state BLOB NOT NULL, upto INTEGER NOT NULL,
  chain BLOB NOT NULL, opened BLOB, closed REAL, digest BLOB NOT NULL
);
"""
ADDED_TO_IDS = "ALTER TABLE ids ADD COLUMN digest BLOB"
