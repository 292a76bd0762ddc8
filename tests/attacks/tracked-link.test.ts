/** Anyone who got a mail has a tracked link, and may follow it any number of times. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { watched } from '../support/processes/loop-watch.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const target = 'https://shop.example/offer'

/** A mail in the built-in inbox, with its link and its image. */
async function sentMail(): Promise<{ click: string; open: string }> {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  const page = `<p><a href="${target}">One</a> <a href="${target}/2">Two</a></p>`
  const mail = { to: `ana-${Math.random()}@example.com`, subject: 'News', html: page }
  const { message_id } = await owner.get<{ message_id: string }>('email.send', mail)
  const found = await eventually(
    () =>
      testbed.db.maybe<{ html: string }>(sql`
        select body_html as html from inbox_messages where message_id = ${parseId('message', message_id) ?? null}
      `),
    (mail) => mail !== undefined,
  )
  const html = found?.html ?? ''
  const [click = ''] = /\/c\/[\w-]+/.exec(html) ?? []
  const [open = ''] = /\/o\/[\w-]+/.exec(html) ?? []
  return { click, open }
}

const unjudged = () =>
  testbed.db.one<{ all: number; waiting: number }>(sql`
    select count(*)::int as all, (count(*) filter (where judged_at is null))::int as waiting
    from link_visits
  `)

test('a thousand visits with changing user agents within seconds do not slow the service', async () => {
  const { url } = testbed.service
  const { click, open } = await sentMail()
  const visit = async (n: number): Promise<void> => {
    const headers = { 'user-agent': `Mozilla/5.0 (X11; rv:${n}.0) Gecko/20100101 Firefox/${n}.0` }
    const [followed, image] = await Promise.all([
      fetch(url + click, { headers, redirect: 'manual' }),
      n % 10 === 0 ? fetch(url + open, { headers }) : undefined,
    ])
    assert.equal(followed.headers.get('location'), target)
    assert.ok(image === undefined || image.status === 200)
    await Promise.all([followed.arrayBuffer(), image?.arrayBuffer()])
  }
  const seen = await watched(url, async () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => n).values()
    const visitor = async () => {
      for (const n of numbers) await visit(n)
    }
    await Promise.all(Array.from({ length: 50 }, visitor))
    // The judgement of the visits follows some seconds later; it once froze the service.
    const { all, waiting } = await eventually(
      unjudged,
      (visits) => visits.all > 0 && visits.waiting === 0,
    )
    assert.ok(all > 0 && waiting === 0, `${waiting} of ${all} wait`)
  })
  // The visits may fall into two minutes.
  assert.ok((await unjudged()).all <= 2 * 50)
  assert.ok(seen.longestTurnMs < 200, JSON.stringify(seen))
  assert.ok(seen.slowestHealthMs < 5_000 && seen.healthAnswers > 10, JSON.stringify(seen))
})
