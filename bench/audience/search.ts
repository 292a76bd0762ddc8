/** Searching people by a part of their name, address or field, mistyped too, over HTTP. */

import { setTimeout as sleep } from 'node:timers/promises'
import { indexLater } from '../../server/src/contacts/record.ts'
import { formatId, type Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { atMost, type Bench, type Figure, number } from '../support/bench.ts'
import { mintTokens, settle } from '../support/population.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { answerOf, callBody, sendCall } from '../writes/support/call-tool.ts'

const { contacts: many, rounds } = sizes.search
const few = 5_000

export const search: Bench = {
  name: 'search',
  title: 'Searching people',
  method: `${number(many)} people of one business, beside a business of ${number(few)}: pages of 100 by \`contact.list\` over HTTP with a part of a name, an address, a number or a field, with two words, with one letter wrong, and with what nobody has, ${rounds} times each with different texts. The words of all were written by the job before.`,

  async run(tell) {
    const testbed = await openTestbed()
    try {
      const population = await settle(testbed.db, 2)
      const [small, large] = population.connected.map(({ businesses }) => businesses[0]?.id)
      if (!small || !large) throw new Error('no business')
      const began = Date.now()
      tell(`making ${number(few)} and ${number(many)} people`)
      await fillNames(testbed.db, small, few)
      await fillNames(testbed.db, large, many)
      await searchable(testbed.db, { people: few + many, tell })
      const filling = (few + many) / ((Date.now() - began) / 1_000)
      await testbed.db.run(sql`vacuum analyze`)
      await testbed.db.run(sql`update connections set scopes = '{audience:read}'`)
      const tokens = await mintTokens(testbed, population, ['audience:read'])
      const figures: Figure[] = [
        { name: 'people made and searchable, a second', value: number(filling) },
        ...(await sizesOf(testbed.db)),
      ]
      for (const [i, size] of [few, many].entries()) {
        const times = await searching(testbed, tokens[i] ?? '', i === 0 ? small : large)
        const all = Object.values(times).flat()
        for (const [kind, ms] of Object.entries(times))
          tell(
            `${number(size)}, ${kind}: p50 ${number(quantile(ms, 0.5))} ms, p95 ${number(quantile(ms, 0.95))} ms`,
          )
        figures.push(
          atMost(
            `p50 of a search among ${number(size)}`,
            quantile(all, 0.5),
            size === few ? 20 : 150,
            ' ms',
          ),
          { name: `p95 among ${number(size)}`, value: `${number(quantile(all, 0.95))} ms` },
        )
      }
      return figures
    } finally {
      await testbed.close()
    }
  },
}

/** People with names of syllables, addresses of the names, a number, a company and a city. */
async function fillNames(db: Database, businessId: Id<'business'>, people: number): Promise<void> {
  await db.run(sql`
    with parts as (
      select array['ka', 'lo', 'mi', 'ra', 'te', 'nu', 'be', 'so', 'fi', 'da', 'ri', 'ma', 'no', 'le',
        'ti', 'cha', 'mou', 'ber', 'gar', 'lin', 'rou', 'sti', 'van', 'hel', 'dor', 'pe', 'ju', 'ana',
        'el', 'gre'] as p
    ), drawn as (
      select n, abs(hashint4(n) % 2999) as f, abs(hashint4(n + 7) % 27000) as l
      from generate_series(1, ${people}::int) as n
    ), named as (
      select n, p[1 + f % 30] || p[1 + f / 30 % 30] as first,
        p[1 + l % 30] || p[1 + l / 30 % 30] || p[1 + l / 900 % 30] as last
      from drawn cross join parts
    )
    insert into contacts (business_id, id, email, phone, name, first_name, last_name, attributes, tags,
      email_consent, sms_consent, source, created_at, updated_at)
    select ${businessId}, (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
      first || '.' || last || n || '@' || (array['gmail.com', 'web.de', 'orange.fr'])[1 + n % 3],
      '+336' || lpad((n * 7919::bigint % 100000000)::text, 8, '0'), first || ' ' || last, first, last,
      jsonb_build_object('company', last || ' gmbh', 'city', 'city' || n % 500), '{}', 'none', 'none',
      'import', now(), now()
    from named on conflict do nothing
  `)
  const rows = await db.all<{ id: Id<'contact'> }>(sql`
    select id from contacts where business_id = ${businessId} order by id
  `)
  for (let start = 0; start < rows.length; start += contactsPerJob) {
    const batch = rows.slice(start, start + contactsPerJob).map(({ id }) => ({ businessId, id }))
    await db.tx((tx) => indexLater(tx, batch, new Date()))
  }
}

const contactsPerJob = 1_000

/** Waits until the service's own worker has written everybody's words. */
async function searchable(
  db: Database,
  { people, tell }: { people: number; tell: (line: string) => void },
): Promise<void> {
  for (let last = -1; ; ) {
    const { n } = await db.one<{ n: number }>(sql`
      select (select count(*) from contact_search) as n
    `)
    if (n === people) return
    if (n - last > people / 10) {
      tell(`${number(n)} are searchable`)
      last = n
    }
    await sleep(200)
  }
}

/** What the words and their index take on the disk. */
async function sizesOf(db: Database): Promise<Figure[]> {
  const { words, indexes, contacts } = await db.one<Record<string, number>>(sql`
    select pg_table_size('contact_search')::float8 / 1e6 as words,
      pg_indexes_size('contact_search')::float8 / 1e6 as indexes,
      pg_total_relation_size('contacts')::float8 / 1e6 as contacts
  `)
  const megabytes = (value: number | undefined) => `${number(Math.round(value ?? 0))} MB`
  return [
    { name: 'words of all people', value: megabytes(words) },
    { name: 'indexes of the words', value: megabytes(indexes) },
    { name: 'the people themselves, with indexes', value: megabytes(contacts) },
  ]
}

type Person = Record<'email' | 'phone' | 'name' | 'last' | 'city', string>

async function searching(
  testbed: BenchTestbed,
  token: string,
  businessId: Id<'business'>,
): Promise<Record<string, number[]>> {
  const people = await testbed.db.all<Person>(sql`
    select email, phone, name, last_name as last, attributes ->> 'city' as city from contacts
    where business_id = ${businessId} order by uuid_hash_extended(id, 5) limit ${rounds}
  `)
  const swapped = (word: string) => `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`
  const kinds: Record<string, (person: Person) => string> = {
    'last name': ({ last }) => last,
    'part of a name': ({ last }) => last.slice(1, 6),
    'part of an address': ({ email }) => email.slice(3, email.indexOf('@') + 3),
    'end of a number': ({ phone }) => phone.slice(-6),
    'two words': ({ name }) => name,
    'three letters': ({ last }) => last.slice(0, 3),
    field: ({ city }) => city,
    'two letters swapped': ({ last }) => swapped(last),
    nobody: ({ last }) => `${last}qxz`,
  }
  const business_id = formatId('business', businessId)
  const times: Record<string, number[]> = {}
  for (const [kind, textOf] of Object.entries(kinds)) {
    const taken: number[] = []
    for (const person of people) {
      const body = callBody('contact.list', { business_id, q: textOf(person), limit: 100 })
      const began = performance.now()
      answerOf(await sendCall(testbed, token, body))
      taken.push(performance.now() - began)
    }
    times[kind] = taken
  }
  return times
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
