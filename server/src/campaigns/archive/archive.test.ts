import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { draftFor, draftIn } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { archiveOf } from '../../accounts/businesses/archive.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { createTemplates } from '../../templates/compile.ts'
import { archivedMail, archivePage } from './archive.ts'
import { createArchiveMails } from './mails.ts'

const templates = createTemplates()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})

test('of an A/B test the archive shows the variant that the others got, else the first', async () => {
  const { db } = database
  const words = (subject: string) => ({ subject, html: `<p>${subject}</p>` })
  const { businessId, campaignId } = await draftIn(db, 0, words('First'))
  const other = await draftFor(db, businessId, words('Second'))
  const now = new Date()
  await setBusiness(db, businessId, { key: 'archive', value: '{"on":true}', now })
  await db.run(sql`
    insert into campaign_variants
      (business_id, campaign_id, position, template_id, template_version_id, share)
    select business_id, ${campaignId}, 1, template_id, template_version_id, 1
    from campaign_variants where campaign_id = ${other}`)
  await db.run(sql`
    insert into campaign_tests
      (business_id, campaign_id, sample, decided_by, after_minutes, by_hand)
    values (${businessId}, ${campaignId}, 20, 'clicks', 60, false)`)
  await db.run(sql`
    update campaigns set state = 'completed', in_archive = true, deployed_at = ${now},
      completed_at = ${now} where id = ${campaignId}`)
  const archive = await archiveOf(db, businessId)
  assert.ok(archive)
  const reader = { businessId, archive, url: 'https://crier.test/archive/bus_1', languages: [] }
  const parts = { db, mails: createArchiveMails({ db, templates }) }
  const shown = async () => {
    const page = await archivePage(parts, reader, { before: undefined, limit: 5 })
    const mail = await archivedMail(parts, reader, formatId('campaign', campaignId))
    return [...page.campaigns.map(({ subject }) => subject), mail.subject]
  }
  assert.deepEqual(await shown(), ['First', 'First'])
  await db.run(sql`update campaign_tests set winner = 1 where campaign_id = ${campaignId}`)
  assert.deepEqual(await shown(), ['Second', 'Second'])
})
