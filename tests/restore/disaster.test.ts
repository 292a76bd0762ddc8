/** Everything is lost during a campaign and webhook deliveries, and is restored. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { homeName } from 'crier-server/lib/postgres/home.ts'
import { newDataDir } from '../crash/support/data-dir.ts'
import { draftIn, sendOff, standings, stateOf } from '../support/businesses/campaign-drafts.ts'
import { startSmtpSink, withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { until } from '../support/time/eventually.ts'
import {
  type Installation,
  newBackupFolder,
  openInstallation,
  passphrase,
  runCrier,
} from './support/installation.ts'

const skip = withoutSmtpSink() ?? false
const recipients = 800

test('a restore after total loss has all acknowledged data, sends nothing twice and respects opt-outs', {
  skip,
}, async (t) => {
  const sink = await startSmtpSink({ keep: true })
  t.after(() => sink.stop())
  const backups = await newBackupFolder()
  t.after(backups.remove)
  const env = {
    BACKUP_TO: backups.path,
    SMTP_URL: sink.url('?pool=4&warmup=no&rate=15'),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    OUTBOUND_ALLOW: '127.0.0.0/8:*',
  }
  const sealed = { ...env, BACKUP_PASSPHRASE: passphrase }
  const first = await openInstallation(sealed)
  let again: Installation | undefined
  const target = await newDataDir()
  try {
    // In progress: a campaign, and deliveries to a receiver that is down.
    const campaign = await draftIn(first.db, recipients)
    const { businessId } = campaign
    const owner = await first.testbed.caller({ businesses: [businessId] })
    const events = ['contact.created', 'contact.updated']
    await owner.get('webhook.save', { url: 'http://127.0.0.1:1/hook', events })
    await sendOff(campaign)
    await until(
      async () => ((await standings(campaign))['sent'] ?? 0) > 20,
      'more than twenty recipients are sent to',
    )

    const made = await first.crier(['backup'], { BACKUP_PASSPHRASE: passphrase })
    assert.equal(made.code, 0, made.stderr)
    assert.equal(JSON.parse(made.stdout).secret, 'sealed')
    assert.ok(JSON.parse(made.stdout).verified_at)

    const open = await first.db.all<{ id: Id<'contact'>; email: string }>(sql`
      select c.id, c.email from campaign_recipients r
      join contacts c on c.business_id = r.business_id and c.id = r.contact_id
      where r.campaign_id = ${campaign.campaignId} and r.state in ('pending', 'taken')
      order by c.id desc limit 6
    `)
    const [a, b, c, d, e, f] = open as [Open, Open, Open, Open, Open, Open]
    const added = Array.from({ length: 20 }, (_, n) => `added-${n}@example.com`)
    await Promise.all(added.map((email) => owner.get('contact.upsert', { email })))
    await saysNo(owner, { suppressed: a, erased: b, unsubscribed: c })
    await first.archived()
    // The archive does not contain these; only the ledger does.
    await saysNo(owner, { suppressed: d, erased: e, unsubscribed: f })
    await sleep(2_500)
    await first.killAll()
    await sleep(500)
    const sentBefore = new Set(await sink.messageIds())
    await rm(homeName(first.dataDir.path), { recursive: true, force: true })
    await first.dataDir.remove()

    const restoreEnv = { ...env, DATA_DIR: target.path }
    const without = await runCrier(['restore', backups.path], restoreEnv)
    assert.notEqual(without.code, 0)
    assert.match(without.stderr, /BACKUP_PASSPHRASE/)
    const wrong = { ...restoreEnv, BACKUP_PASSPHRASE: 'not the passphrase' }
    const refused = await runCrier(['restore', backups.path], wrong)
    assert.match(refused.stderr, /passphrase does not open/)
    const right = { ...restoreEnv, BACKUP_PASSPHRASE: passphrase }
    const restored = await runCrier(['restore', backups.path], right)
    assert.equal(restored.code, 0, restored.stderr)
    const told = JSON.parse(restored.stdout)
    assert.equal(told.campaigns_paused, 1)
    assert.ok(told.recipients_in_doubt > 0)
    assert.ok(told.opt_outs_applied >= 6)

    again = await openInstallation(sealed, target)
    const { db } = again
    const there = await db.all<{ email: string }>(sql`
      select email from contacts where business_id = ${businessId} and email like 'added-%'
    `)
    assert.equal(there.length, added.length, 'acknowledged before the archive’s last file')
    assert.equal(await stateOf({ ...campaign, db }), 'paused')
    const { pending = 0, taken = 0, unknown = 0 } = await standings({ ...campaign, db })
    assert.deepEqual([pending, taken], [0, 0])
    assert.equal(unknown, told.recipients_in_doubt)

    await sleep(3_000)
    assert.equal((await sink.messageIds()).length, sentBefore.size, 'sending is paused')
    assert.equal((await again.crier(['sending', 'start'])).code, 0)
    await sleep(3_000)
    assert.equal((await sink.messageIds()).length, sentBefore.size, 'and so is the campaign')

    const asked = await again.testbed.caller({ businesses: [businessId] })
    for (const one of [a, d]) await assertSuppressed(asked, one, 'manual')
    for (const one of [b, e]) {
      const gone = await asked.call('contact.get', { contact_id: formatId('contact', one.id) })
      assert.equal(gone.kind, 'refusal')
      const anew = await asked.call('contact.upsert', { email: one.email })
      assert.equal(anew.kind, 'refusal', 'an erased person stays out')
    }
    for (const one of [c, f]) {
      const { consent } = await asked.get<{ consent: { email: { status: string } } }>(
        'contact.get',
        { contact_id: formatId('contact', one.id) },
      )
      assert.equal(consent.email.status, 'unsubscribed')
    }
    // A person decides to send it to the recipients in doubt, and nobody who said no gets it.
    const campaign_id = formatId('campaign', campaign.campaignId)
    const resent = await asked.get<{ resent: number; refused: unknown[] }>('campaign.resend', {
      campaign_id,
      all: true,
    })
    assert.equal(resent.resent, unknown - resent.refused.length)
    assert.ok(resent.refused.length >= 4)
  } finally {
    await again?.close()
    await first.close().catch(() => {})
    await target.remove()
  }
})

interface Open {
  id: Id<'contact'>
  email: string
}

type Caller = Awaited<ReturnType<Installation['testbed']['caller']>>

async function saysNo(
  owner: Caller,
  { suppressed, erased, unsubscribed }: Record<'suppressed' | 'erased' | 'unsubscribed', Open>,
): Promise<void> {
  const named = ({ id }: Open) => ({ contact_id: formatId('contact', id) })
  await owner.get('contact.suppress', named(suppressed))
  await owner.get('contact.erase', named(erased))
  const consent = { email: { status: 'unsubscribed', source: 'by phone' } }
  await owner.get('contact.upsert', { email: unsubscribed.email, consent })
}

async function assertSuppressed(asked: Caller, { email }: Open, reason: string): Promise<void> {
  const mail = { to: email, subject: 'Hello', text: 'Hello', kind: 'marketing' }
  const { kind, text } = await asked.call('email.send', mail)
  assert.equal(kind, 'refusal')
  assert.match(text, new RegExp(`${reason}|suppress`))
}
