/** Content written by a caller in previews, tests and deploys: none of it blocks the service. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../support/businesses/campaigns.ts'
import { watched } from '../support/processes/loop-watch.ts'

let testbed: OwnTestbed
let requests = 0
const site = createServer((_request, response) => {
  requests++
  response.end()
})
before(async () => {
  testbed = await openCampaignTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.1/32:*' } })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  // What an operation loads at its first call is not part of the measurement, nor what the engine
  // compiles, and the memory that it takes, for its first page of a megabyte.
  const html = filled(million, '<p><a href="https://a.example/">Hi</a> <a >you</a></p>')
  await throughAll({ content: { subject: 'News', html, text: 'Hi' } })
  await throughAll({ channel: 'sms', content: { text: 'Hi STOP' } })
})
after(async () => {
  site.close()
  site.closeAllConnections()
  await testbed.close()
})

const loop = (count: number, body: string) => `{% for i in (1..${count}) %}${body}{% endfor %}`
/** Renders to this many characters, in turns of 200, so that no step limit stops it. */
const filled = (characters: number, body: string) =>
  loop(Math.floor(characters / 200), body.repeat(Math.floor(200 / body.length)))
const million = 1_000_000

const contents: Record<string, object> = {
  '240 kB of <a ': { html: '<a '.repeat(80_000), text: 'Hi' },
  'a loop of 60 bytes': { html: loop(15_000, '<a '), text: 'Hi' },
  'a megabyte of <a ': { html: filled(million, '<a '), text: 'Hi' },
  'a megabyte of <a x="': { html: filled(million, '<a x=q"'), text: 'Hi' },
  'a megabyte of ampersands': { html: filled(million, '&amp;'), text: 'Hi' },
  'a megabyte of links': {
    html: filled(million, '<a href="https://a.example/">'),
    text: 'Hi',
  },
  'many different links': { html: loop(2_000, '<a href="https://a.example/{{ i }}">') },
  'a megabyte of </body': { html: filled(million, '</body '), text: 'Hi' },
  'a megabyte of http://': { text: filled(million, 'http://') },
  'a megabyte of http://. ': { text: filled(million, 'http://. ') },
  'a megabyte of dots': { text: `http://${filled(million, '.')}` },
  'a megabyte of images': { html: filled(million, '<img x=q src=/>'), text: 'Hi' },
  'a megabyte of lines': { html: '<p>Hi</p>', text: filled(million, 'a\n') },
  'a megabyte of starter words': { html: filled(million, '<p>Hi A heading '), text: 'Hi' },
  'a megabyte of spaces': {
    html: filled(million, '<p>Write here.         Write here. '),
    text: 'Hi',
  },
  'a megabyte of subject': { subject: filled(million, 'a '), text: 'Hi' },
}
const texts: Record<string, object> = {
  'a megabyte of text': { text: `${filled(million, 'a')} STOP` },
  'a megabyte of emoji': { text: `${filled(million, '👩‍👩‍👧')} STOP` },
  'a megabyte of marks': { text: `${filled(million, '\u0301')} STOP` },
}

/** On a busy machine a loop may reach its time limit first, which is a valid answer too. */
const tooMuch = /asks for too much|takes too long/

/** Drafts a campaign, previews it, tests it and deploys it. */
async function throughAll(campaign: { channel?: string; content: object }): Promise<void> {
  const scene = await campaignScene(testbed)
  const drafted = await scene.draft({ name: 'News', ...campaign }).catch(String)
  if (typeof drafted === 'string') return assert.match(drafted, tooMuch)
  const { campaign_id } = drafted
  for (const operation of ['preview', 'test', 'deploy']) {
    const { status, text } = await scene.owner.call(`campaign.${operation}`, { campaign_id })
    assert.ok(status < 500, `${operation}: ${text.slice(0, 300)}`)
  }
}

for (const [channel, all] of Object.entries({ email: contents, sms: texts })) {
  for (const [what, content] of Object.entries(all)) {
    test(`${channel}: previewing, testing and deploying ${what} causes no server error and does not slow /healthz`, async () => {
      const whole = channel === 'email' ? { subject: 'News', ...content } : content
      const seen = await watched(testbed.service.url, () => throughAll({ channel, content: whole }))
      assert.ok(seen.longestTurnMs < 200, JSON.stringify(seen))
      assert.ok(seen.slowestHealthMs < 10_000, JSON.stringify(seen))
    })
  }
}

test('a hundred previews with twenty links to one host cause only twenty requests to it', async () => {
  const scene = await campaignScene(testbed)
  const { port } = site.address() as AddressInfo
  const links = Array.from(
    { length: 20 },
    (_, n) => `<a href="http://127.0.0.1:${port}/${n}">x</a>`,
  )
  const content = { subject: 'News', html: links.join(' ') }
  const { campaign_id } = await scene.draft({ content })
  await Promise.all(
    Array.from({ length: 100 }, () => scene.owner.call('campaign.preview', { campaign_id })),
  )
  assert.equal(requests, 20)
})
