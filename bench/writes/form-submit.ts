/** `form.submit` over HTTP, over many forms and on one, compared with the bare statement. */

import { parseId } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import type { DrawnSpec } from '../load/drawn-source.ts'
import { startDriver } from '../load/drive.ts'
import { atLeast, type Bench, type Figure, median, number } from '../support/bench.ts'
import { endpoint } from '../support/calls.ts'
import { connectionCount } from '../support/population.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { callTool } from './support/call-tool.ts'
import { pgbench } from './support/pgbench.ts'
import { placeOf } from './support/place.ts'
import { rivalTable } from './support/rival-table.ts'
import { alternate, type Contender } from './support/rounds.ts'
import { eventsPlaced, feedSettled } from './support/settled.ts'
import { settleWriters, type Writers } from './support/writers.ts'

// Known people submit again. New people make the other half of the submissions.
const { rounds, seconds, forms, known } = sizes.formSubmit
const businesses = 10

export const formSubmit: Bench = {
  name: 'form-submit',
  title: '`form.submit` over HTTP, 64 connections',
  method: `Email, name and a message; half of the submissions are of people who come again, in ${businesses} businesses. Each is checked against its form and writes the contact, the submission, the form's count, its events, its usage and its lines in the timeline. Spread over ${number(forms)} forms, and all on one. Beside it \`pgbench -M prepared\` with 64 clients over the same unix socket: one statement that inserts the submission and counts it, in tables of the same shape. ${rounds} alternating rounds of ${seconds} s; ratios within each round, medians shown.`,

  async run(tell) {
    const testbed = await openTestbed()
    const stops: (() => Promise<void>)[] = [() => testbed.close()]
    const drive = async (writers: Writers, formIds: string[][]): Promise<Contender> => {
      const source = submissions(writers, formIds)
      const driver = await startDriver({ port: testbed.service.port, source })
      stops.unshift(() => driver.stop())
      return async (within) => {
        const load = await driver.run({ seconds: within })
        answered += load.requests
        await feedSettled(testbed.db)
        return load.perSecond
      }
    }
    let answered = 0
    try {
      const writers = await settleWriters(testbed, { businesses, connections: connectionCount })
      const [hot = '', ...others] = await makeForms(testbed, writers)
      const lists = Map.groupBy([hot, ...others], (_, i) => i % businesses)
      const rival = await bareStatement(testbed, [hot, ...others])
      const hotWriters = {
        ...writers,
        tokens: writers.tokens.filter((_, i) => i % businesses === 0),
      }
      const all = await alternate(
        {
          spread: await drive(writers, [...lists.values()]),
          hot: await drive(hotWriters, [[hot]]),
          pgbench: rival,
        },
        { rounds, seconds, tell },
      )
      await assertCounted(testbed.db, answered)
      return figures(all)
    } finally {
      for (const stop of stops) await stop()
    }
  },
}

function figures(all: Record<'spread' | 'hot' | 'pgbench', number>[]): Figure[] {
  const rate = (name: 'spread' | 'hot' | 'pgbench') => median(all.map((round) => round[name]))
  return [
    atLeast('one hot form, share of the spread', median(all.map((r) => r.hot / r.spread)), 0.5),
    {
      name: 'share of the bare statement',
      value: number(median(all.map((r) => r.spread / r.pgbench))),
    },
    { name: 'submissions a second, spread', value: number(rate('spread')) },
    { name: 'submissions a second, one form', value: number(rate('hot')) },
    { name: 'bare statements a second, pgbench', value: number(rate('pgbench')) },
  ]
}

/** Published forms as a person makes them. Form i belongs to business i modulo their number. */
async function makeForms(testbed: BenchTestbed, { tokens }: Writers): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < forms; i++) {
    const made = await callTool<{ form_id: string }>(testbed, tokens[i] ?? '', 'form.save', {
      name: `Form ${i}`,
      status: 'published',
      fields: [
        { key: 'email', label: 'Email', type: 'email', required: true },
        { key: 'name', label: 'Name', type: 'text', required: true },
        { key: 'message', label: 'Message', type: 'textarea', required: false },
      ],
    })
    ids.push(made.form_id)
  }
  return ids
}

function submissions({ tokens }: Writers, formIds: string[][]): DrawnSpec {
  const args =
    '{"form_id":"%form%","fields":{"email":"person-%person%@example.com",' +
    '"name":"Person %person%","message":"Please call me back about order %order%."}}'
  return {
    kind: 'drawn',
    path: endpoint,
    tokens,
    template: `{"jsonrpc":"2.0","method":"tools/call","id":1,"params":{"name":"svc.v1.form.submit","arguments":${args}}}`,
    draws: { form: { from: formIds }, person: { known }, order: { below: 1_000_000_000 } },
    holds: '"structuredContent":{"submission_id":"sub_',
  }
}

async function bareStatement(testbed: BenchTestbed, formIds: string[]): Promise<Contender> {
  const { db } = testbed
  await rivalTable(db, 'forms')
  await rivalTable(db, 'submissions')
  await db.run(sql`insert into rival.forms select * from forms`)
  await db.run(sql`vacuum analyze`)
  const place = await placeOf(testbed.dataDir)
  const script = await scriptFor(db, formIds)
  return (within) => pgbench(place, script, within)
}

/** Forms are numbered for pgbench, which cannot draw a uuid. */
async function scriptFor(db: Database, formIds: string[]): Promise<string> {
  const ids = formIds.map((id) => parseId('form', id))
  await db.run(sql`
    create table rival.numbered as
    select (n - 1)::int as n, business_id, id
    from unnest(${ids}::uuid[]) with ordinality as form (id, n) join forms using (id)
  `)
  await db.run(sql`alter table rival.numbered add primary key (n)`)
  return `
\\set form random(0, ${forms - 1})
\\set person random(0, 1000000000)
\\set order random(0, 1000000000)
with form as (
  select business_id, id from rival.numbered where n = :form
), counted as (
  update rival.forms f set submission_count = f.submission_count + 1
  from form where f.business_id = form.business_id and f.id = form.id
)
insert into rival.submissions (business_id, form_id, id, contact_id, form_version, fields,
  answers, source_url, created_at)
select business_id, id, uuidv7(), gen_random_uuid(), 1,
  json_build_object('email', 'person-' || :person || '@example.com', 'name', 'Person ' || :person,
    'message', 'Please call me back about order ' || :order || '.'),
  json_build_object('email', 'person-' || :person || '@example.com', 'name', 'Person ' || :person,
    'message', 'Please call me back about order ' || :order || '.'),
  'http://localhost:8787/f/' || id, now()
from form;
`
}

async function assertCounted(db: Database, answered: number): Promise<void> {
  const placed = await eventsPlaced(db, ['form.submitted'])
  const { rows, counted } = await db.one<{ rows: number; counted: number }>(sql`
    select (select count(*) from submissions) as rows,
      (select sum(submission_count)::bigint from forms) as counted
  `)
  if (rows === answered && counted === answered && placed === answered) return
  throw new Error(`${answered} answers, ${rows} rows, ${counted} counted, ${placed} events`)
}
