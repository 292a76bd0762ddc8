-- Imports of files: what was brought, how it is read, and how far it has come.
create table imports (
  business_id uuid not null,
  id uuid not null,
  state text not null check (state in ('awaiting_file', 'checking', 'ready', 'running', 'paused',
    'done', 'failed', 'cancelled', 'undoing', 'undone')),
  file_name text not null,
  -- Uploads that began: each writes a file of its own, and the last of them counts.
  uploads integer not null,
  bytes bigint,
  sha256 bytea,
  -- Whether `files` still has it.
  has_file boolean not null,
  -- How its bytes are text, as the upload showed.
  text json,
  -- What its beginning shows: the separator and the columns; and what each of them becomes.
  layout json,
  choices json,
  -- What the dry run found, with the first of its rows.
  found json,
  -- Where the next chunk begins: the byte in the file, and rows before it.
  next_byte bigint not null,
  next_row bigint not null,
  -- Rows by what became of them, counted with each chunk.
  counts json not null,
  -- Milliseconds that the present pass has worked, for the time that is left.
  worked_ms bigint not null,
  -- Why it failed: a code and a sentence.
  fault json,
  user_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (business_id, id)
);

-- What an import did to each contact, for undoing it.
create table import_changes (
  business_id uuid not null,
  import_id uuid not null,
  contact_id uuid not null,
  -- By field, its value before and after; null of a contact that the import made.
  before jsonb,
  after jsonb,
  -- As the contact's `updated_at` has it, while nobody else has touched it since.
  changed_at timestamptz not null,
  primary key (business_id, import_id, contact_id)
);

-- Rows that were not taken, as they stand in the file.
create table import_errors (
  business_id uuid not null,
  import_id uuid not null,
  row_number bigint not null,
  -- Null where the person is erased: nothing is kept of them.
  raw text,
  code text not null,
  field text not null,
  message text not null,
  primary key (business_id, import_id, row_number)
);
