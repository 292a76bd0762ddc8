/** Briefs written by a caller: the writer reads them in the service's own thread. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { briefLimits } from 'crier-server/campaigns/writer/brief.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { watched } from '../support/processes/loop-watch.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
  // What an operation loads at its first call is not part of the measurement.
  for (const channel of ['email', 'sms']) {
    const { text } = await generate(channel, `Tell our guests about the menu: ${link}`)
    assert.match(text, /cmp_/)
  }
})
after(() => testbed.close())

/** Drafts a campaign of a new business. */
async function generate(channel: string, brief: unknown) {
  const owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
  return owner.call('campaign.generate', { brief, channel })
}

const { goalLength, facts, factLength } = briefLimits
const filled = (unit: string, length: number = goalLength) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const link = 'https://a.example/x'

const goals: Record<string, string> = {
  'runs of spaces around a link': `with${' '.repeat(290)}a${' '.repeat(290)}link${' '.repeat(290)}${link}`,
  'spaces alone before a link': filled(' ', goalLength - link.length) + link,
  'many links between spaces': filled(`, link   to   ${link}`),
  'commas and spaces': filled(',  '),
  'tones without an end': filled('tone: warm  '),
  'links without a host': filled('http://'),
  'brackets around nothing': filled('(link: '),
  'ends of sentences': filled(`${link}!!!!.... `),
}
const briefs: Record<string, unknown> = {
  ...goals,
  'as many facts as may be, of the largest size': {
    goal: filled('a  '),
    facts: Array.from({ length: facts }, () => filled('from  9  to  ', factLength)),
  },
}

for (const [what, brief] of Object.entries(briefs)) {
  test(`${what} in a brief for email or SMS causes no server error and does not slow /healthz`, async () => {
    const seen = await watched(testbed.service.url, async () => {
      for (const channel of ['email', 'sms']) {
        const { status, text } = await generate(channel, brief)
        assert.ok(status < 500, `${channel}: ${text.slice(0, 300)}`)
      }
    })
    assert.ok(seen.longestTurnMs < 200, JSON.stringify(seen))
    assert.ok(seen.slowestHealthMs < 10_000, JSON.stringify(seen))
  })
}
