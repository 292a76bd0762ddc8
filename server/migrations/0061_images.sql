-- Pictures for mail. The content of each is a file, which is served under its name without a question
-- to the database.
create table images (
  business_id uuid not null references businesses (id),
  id uuid not null,
  -- The name of the file, which nobody can guess.
  file text not null,
  kind text not null,
  name text not null,
  alt text,
  width integer not null,
  height integer not null,
  bytes integer not null,
  -- Of the picture as it arrived, so that the same one is stored once.
  sha256 bytea not null,
  created_at timestamptz not null,
  -- A deleted picture is remembered for a day, so that deleting it again succeeds.
  deleted_at timestamptz,
  primary key (business_id, id)
);
create unique index images_by_content on images (business_id, sha256) where deleted_at is null;
