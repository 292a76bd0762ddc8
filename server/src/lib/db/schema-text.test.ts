import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emptyDatabase } from '../../../../tests/support/postgres/database.ts'
import { openDatabase, sql } from './db.ts'
import { schemaText } from './schema-text.ts'

const { connection, drop } = await emptyDatabase()
const db = openDatabase({ connection })
after(async () => {
  await db.end()
  await drop()
})

test('the schema of a table is printed completely and in a stable order', async () => {
  await db.run(sql`
    create table parts (
      business_id uuid, id uuid, "order" int default 7, price numeric(10, 2) not null,
      doubled int generated always as ("order" * 2) stored,
      primary key (business_id, id), unique (business_id, "order"), check ("order" > 0)
    )
  `)
  await db.run(sql`
    create unlogged table counts (
      business_id uuid, id uuid primary key, foreign key (business_id, id) references parts
    )
  `)
  await db.run(sql`create index parts_by_price on parts (price desc) where price > 1`)
  await db.run(sql`create table log (at timestamptz) partition by range (at)`)
  await db.run(sql`
    create table log_2026 partition of log for values from ('2026-01-01Z') to ('2027-01-01Z')
  `)
  assert.equal(
    await schemaText(db),
    `create unlogged table counts (
  business_id uuid,
  id uuid not null,
  constraint counts_pkey PRIMARY KEY (id),
  constraint counts_business_id_id_fkey FOREIGN KEY (business_id, id) REFERENCES parts(business_id, id)
);

create table log (
  at timestamp with time zone
) partition by RANGE (at);

create table log_2026 partition of log FOR VALUES FROM ('2026-01-01 00:00:00+00') TO ('2027-01-01 00:00:00+00');

create table parts (
  business_id uuid not null,
  id uuid not null,
  "order" integer default 7,
  price numeric(10,2) not null,
  doubled integer generated always as (("order" * 2)) stored,
  constraint parts_pkey PRIMARY KEY (business_id, id),
  constraint parts_business_id_order_key UNIQUE (business_id, "order"),
  constraint parts_order_check CHECK (("order" > 0))
);
CREATE INDEX parts_by_price ON public.parts USING btree (price DESC) WHERE (price > (1)::numeric);
`,
  )
})
