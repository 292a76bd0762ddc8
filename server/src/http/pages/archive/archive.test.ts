import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
  relaySettings,
} from '../../../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene } from '../../../../../tests/support/businesses/campaigns.ts'
import { parsedFeed } from '../../../../../tests/support/clients/parsed-feed.ts'
import { type FakeRelay, startFakeRelay } from '../../../../../tests/support/mail/fake-relay.ts'
import { setBusiness } from '../../../accounts/settings/settings.ts'
import { archiveLimits } from '../../../config/archive.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { sql } from '../../../lib/db/db.ts'

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  relay = await startFakeRelay()
  testbed = await openTestbed(relaySettings(relay.url()))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

type Scene = Awaited<ReturnType<typeof campaignScene>>

const personal = {
  subject: 'Menu for {{ contact.name | default: "everybody" }}',
  html: '<html><body><p>Dear {{ contact.name | default: "guest" }}, {{ contact.email }}{{ contact.tags | join: "," }}</p><p><a href="https://shop.test/a">Shop</a> <a href="{{ unsubscribe_url }}">Stop</a></p></body></html>',
}

interface Settings {
  archive: { on: boolean; title: string | null; description: string | null; url: string }
}

const save = (scene: Scene, archive: object) =>
  scene.owner.get<Settings>('business.save', { archive })

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: 'manual' })

const textAt = async (url: string, headers?: Record<string, string>) => {
  const response = await get(url, headers)
  return { status: response.status, text: await response.text() }
}

/** Stands in for a sending, of which one test here has a real one. */
async function markSent(name: string, at: string, state = 'completed') {
  await testbed.db.run(sql`
    update campaigns set state = ${state}, deployed_at = ${at}, completed_at = ${at}
    where id = ${parseId('campaign', name) ?? null}
  `)
}

async function sentCampaign(scene: Scene, subject: string, at: string, more: object = {}) {
  const content = { subject, html: `<p>${subject}</p>`, ...more }
  const { campaign_id } = await scene.draft({ content })
  await scene.owner.get('campaign.save', { campaign_id, archive: true })
  await markSent(campaign_id, at)
  return campaign_id
}

const archiveOf = (scene: Scene) =>
  `${testbed.service.config.appUrl}/archive/${formatId('business', scene.businessId)}`

describe('a campaign that was sent to a person', () => {
  let running: Running
  let url: string
  before(async () => {
    running = await draftTo(testbed, 1, { content: personal })
    const { archive } = await save(running.scene, { on: true, title: ' Our   letters ' })
    assert.deepEqual(
      { ...archive, url: '' },
      { on: true, title: 'Our letters', description: null, form_id: null, url: '' },
    )
    url = archive.url
    await running.scene.owner.get('campaign.save', { campaign_id: running.name, archive: true })
    const draft = await textAt(`${url}/${running.name}`)
    assert.equal(draft.status, 404, 'a draft is not in the archive')
    await sendOff(running)
    await awaitState(running, 'completed')
  })

  test('is shown to everybody without the data, the links and the image of its recipient', async () => {
    const sent = relay.taken.at(-1)?.source ?? ''
    assert.match(sent, /Person 1/)
    const response = await get(`${url}/${running.name}`)
    const page = await response.text()
    assert.equal(response.status, 200)
    assert.match(page, /Dear guest, <\/p>/)
    assert.match(page, /"https:\/\/shop\.test\/a"/)
    assert.doesNotMatch(page, /Person|@example\.com|<img|\/[cou]\/[\w-]{20}/)
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of ['sandbox', "default-src 'none'", "form-action 'none'"]) {
      assert.ok(policy.includes(rule), policy)
    }
    assert.ok(!policy.includes('allow-scripts') && !policy.includes('allow-same-origin'), policy)
    assert.ok(page.includes(`<a href="${url}" `), 'a link leads to the list')
    const way = /href="([^"]*)">Stop/.exec(page)?.[1] ?? ''
    const led = await textAt(way)
    assert.match(led.text, /<h1>This link is personal<\/h1>/)
  })

  test('is in the list and in the feed, by the subject for nobody and the day of its sending', async () => {
    const { text } = await textAt(url)
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
    assert.match(text, /<h1><bdi>Our letters<\/bdi><\/h1>/)
    assert.match(text, />Menu for everybody<\/bdi><\/a>/)
    assert.ok(text.includes(day.format(new Date())))
    assert.ok(
      text.includes(
        `<link rel="alternate" type="application/rss+xml" title="Our letters" href="${url}/feed.xml">`,
      ),
    )
    assert.doesNotMatch(text, /<script|noindex/)
    const feed = parsedFeed((await textAt(`${url}/feed.xml`)).text)
    assert.deepEqual([feed.title, feed.link, feed.self], ['Our letters', url, `${url}/feed.xml`])
    const [item] = feed.items
    assert.deepEqual(
      [item?.['title'], item?.['link'], item?.['guid']],
      ['Menu for everybody', `${url}/${running.name}`, running.name],
    )
    assert.match(item?.['description'] ?? '', /^Dear guest,/)
    assert.match(item?.['pubDate'] ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
  })

  test('is hidden again after it was sent, and a feed that programs kept is no longer current', async () => {
    const { owner } = running.scene
    // A time in HTTP has no parts of a second.
    await markSent(running.name, '2026-01-01T12:00:00Z')
    await testbed.db.run(sql`
      update businesses set updated_at = '2026-01-01', archive_changed_at = null
      where id = ${running.businessId}`)
    const feed = await get(`${url}/feed.xml`)
    const [etag, changed] = [feed.headers.get('etag'), feed.headers.get('last-modified')]
    assert.ok(etag && changed)
    const asked = async (headers: Record<string, string>) =>
      (await get(`${url}/feed.xml`, headers)).status
    assert.equal(await asked({ 'if-none-match': `"other", W/${etag}` }), 304)
    assert.equal(await asked({ 'if-modified-since': changed }), 304)
    const hidden = await owner.get<{ archive: boolean; version: number }>('campaign.save', {
      business_id: formatId('business', running.businessId),
      campaign_id: running.name,
      archive: false,
    })
    assert.equal(hidden.archive, false)
    assert.equal(await asked({ 'if-none-match': etag }), 200)
    assert.equal(await asked({ 'if-modified-since': changed }), 200)
    for (const path of ['', '/feed.xml']) {
      assert.doesNotMatch((await textAt(url + path)).text, /Menu for/)
    }
    assert.equal((await textAt(`${url}/${running.name}`)).status, 404)
    const audit = await testbed.db.all<{ details: object }>(sql`
      select details from audit_entries
      where business_id = ${running.businessId} and action = 'campaign.save' order by id
    `)
    assert.deepEqual(
      audit.map(({ details }) => details),
      [{ archive: true }, { archive: false }],
    )
  })
})

test('the list goes back page by page, newest first, and the feed has the newest alone', async () => {
  const scene = await campaignScene(testbed)
  await save(scene, { on: true })
  const first = await sentCampaign(scene, 'Letter 00', '2026-01-01T12:00:00Z')
  const firstId = parseId('campaign', first) ?? null
  // Copies of the first, one a day and two of them at one moment.
  const copies = archiveLimits.feedItems + 2
  await testbed.db.run(sql`
    with copied as (
      insert into campaigns
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(),
        'deployed_at', c.deployed_at + least(n, ${copies - 1}::int) * interval '1 day'))).*
      from campaigns c, generate_series(1, ${copies}::int) n
      where c.id = ${firstId} returning id)
    insert into campaign_variants
    select (jsonb_populate_record(v, jsonb_build_object('campaign_id', copied.id))).*
    from campaign_variants v, copied where v.campaign_id = ${firstId}
  `)
  const seen: string[] = []
  const days: string[] = []
  let next: string | undefined = archiveOf(scene)
  let pages = 0
  while (next !== undefined && pages++ < 9) {
    const { status, text }: { status: number; text: string } = await textAt(next)
    assert.equal(status, 200)
    seen.push(...[...text.matchAll(/\/(cmp_\w+)"/g)].map(([, name = '']) => name))
    days.push(...[...text.matchAll(/datetime="([^"]+)"/g)].map(([, day = '']) => day))
    next = /<a href="([^"]+)" rel="next">/.exec(text)?.[1]
    assert.equal(text.includes('Newest emails'), pages > 1)
  }
  assert.equal(pages, Math.ceil((copies + 1) / archiveLimits.perPage))
  assert.equal(new Set(seen).size, copies + 1)
  assert.deepEqual(days, days.toSorted().reverse())
  const { items } = parsedFeed((await textAt(`${archiveOf(scene)}/feed.xml`)).text)
  assert.deepEqual(
    items.map(({ guid }) => guid),
    seen.slice(0, archiveLimits.feedItems),
  )
  for (const wrong of ['x', `1e400.${first}`, `-1.${first}`, `1.${first}.2`, '1.bus_1']) {
    const { status } = await textAt(`${archiveOf(scene)}?before=${encodeURIComponent(wrong)}`)
    assert.equal(status, 404, wrong)
  }
})

test('what is not in the archive does not exist for it', async () => {
  const scene = await campaignScene(testbed)
  const other = await campaignScene(testbed)
  const url = archiveOf(scene)
  const shown = await sentCampaign(scene, 'Shown', '2026-02-01T12:00:00Z')
  for (const path of ['', '/feed.xml', `/${shown}`]) {
    assert.equal((await textAt(url + path)).status, 404, path)
  }
  await save(scene, { on: true })
  await save(other, { on: true })
  assert.equal((await textAt(`${url}/${shown}`)).status, 200)
  const states = ['draft', 'scheduled', 'awaiting_approval', 'deployed', 'paused', 'cancelled']
  for (const state of states) {
    await markSent(shown, '2026-02-01T12:00:00Z', state)
    assert.equal((await textAt(`${url}/${shown}`)).status, 404, state)
    assert.doesNotMatch((await textAt(url)).text, /Shown/, state)
  }
  await markSent(shown, '2026-02-01T12:00:00Z')
  const theirs = `${archiveOf(other)}/${shown}`
  for (const path of [theirs, `${url}/cmp_1`, `${url}/x`, url.replace('bus_', 'bus_0')]) {
    assert.equal((await textAt(path)).status, 404, path)
  }
  await testbed.db.run(sql`
    delete from template_versions where id in (
      select template_version_id from campaign_variants
      where campaign_id = ${parseId('campaign', shown) ?? null})
  `)
  assert.doesNotMatch((await textAt(url)).text, /Shown/)
})

test('pages and feeds are in the reader’s language where the mail has it, else in the business’s', async () => {
  const scene = await campaignScene(testbed)
  const { archive } = await save(scene, { on: true })
  const translations = {
    de: { subject: 'Brot & <Kuchen>', html: '<p>Guten Tag</p>' },
    ar: { subject: 'خبز', html: '<p>مرحبا</p>' },
  }
  const name = await sentCampaign(scene, 'Bread & <cake>', '2026-03-01T23:30:00Z', { translations })
  const now = new Date()
  await setBusiness(testbed.db, scene.businessId, { key: 'time_zone', value: 'Asia/Tokyo', now })
  const titles = async (query: string, accept?: string) => {
    const headers = accept === undefined ? {} : { 'accept-language': accept }
    const { text } = await textAt(archive.url + query, headers)
    const [, lang, dir] = /<html lang="(\w+)" dir="(\w+)">/.exec(text) ?? []
    return [
      lang,
      dir,
      /<bdi>([^<]+)<\/bdi><\/a>/.exec(text)?.[1],
      /fine" [^>]+>([^<]+)</.exec(text)?.[1],
    ]
  }
  const english = ['en', 'ltr', 'Bread &amp; &lt;cake&gt;', 'March 2, 2026']
  assert.deepEqual(await titles(''), english)
  assert.deepEqual(await titles('', 'en-GB,de;q=0.5'), english)
  const german = ['de', 'ltr', 'Brot &amp; &lt;Kuchen&gt;', '2. März 2026']
  assert.deepEqual(await titles('', 'de-AT,en;q=0.5'), german)
  assert.deepEqual(await titles('?lang=de', 'en'), german)
  assert.deepEqual((await titles('?lang=ar')).slice(0, 3), ['ar', 'rtl', 'خبز'])
  assert.match((await textAt(`${archive.url}/${name}?lang=de`)).text, /Guten Tag/)
  const feed = await get(`${archive.url}/feed.xml?lang=de`, { 'accept-language': 'ar' })
  const parsed = parsedFeed(await feed.text())
  assert.deepEqual([parsed.language, parsed.items[0]?.['title']], ['de', 'Brot & <Kuchen>'])
  const plain = await get(`${archive.url}/feed.xml`, { 'accept-language': 'ar' })
  assert.equal(parsedFeed(await plain.text()).items[0]?.['title'], 'Bread & <cake>')
})

test('a feed is well formed whatever a subject, a text and a title contain', async () => {
  const scene = await campaignScene(testbed)
  const { archive } = await save(scene, { on: true, title: '<b>&]]> "A"', description: 'a < b' })
  await sentCampaign(scene, 'News {{ "]]><x>&" }}', '2026-03-01T12:00:00Z', {
    html: '<p>1 &lt; 2</p>',
  })
  const feed = parsedFeed((await textAt(`${archive.url}/feed.xml`)).text)
  assert.deepEqual([feed.title, feed.description], ['<b>&]]> "A"', 'a < b'])
  assert.equal(feed.items[0]?.['title'], 'News ]]><x>&')
  // A description is HTML, so what was text stays text.
  assert.equal(feed.items[0]?.['description'], '1 &lt; 2')
})

test('only emails can be in the archive', async () => {
  const scene = await campaignScene(testbed)
  const { campaign_id } = await scene.draft({ channel: 'sms', content: { text: 'Hi' } })
  const refused = await scene.refused('campaign.save', { campaign_id, archive: true })
  assert.equal(refused.field, 'archive')
})
