import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { newId } from '../../core/ids.ts'
import { summaryOf } from '../operations/summary.ts'
import { recordsOf } from '../records/records.ts'
import { missingForMarketing } from '../senders/eligibility.ts'
import type { Domain } from './domain.ts'
import { domainSettingsOf } from './settings.ts'

const at = new Date('2026-11-20T10:00:00Z')
const key = { slot: 1, state: 'active', rsaPublic: 'AAAA', ed25519Public: null } as const
const domain: Domain = {
  id: newId('domain'),
  businessId: newId('business'),
  name: 'shop.example',
  registrable: 'shop.example',
  status: 'pending',
  passes: 0,
  passedAt: null,
  misses: 0,
  missingSince: null,
  heldElsewhere: false,
  awaitsPerson: false,
  verifiedAt: null,
  checkedAt: null,
  nextCheckAt: at,
  report: {},
  revision: 1,
  createdAt: at,
  keys: [{ ...key, seenAt: at, ttlSeconds: 60, leavesAt: null, createdAt: at }],
}
const settingsWith = (env: Record<string, string>) =>
  domainSettingsOf(readConfig({ BASE_URL: 'https://crier.example', ...env }))
const SMTP_URL = 'smtp://u:p@relay.example'

test('where every relay puts in a return path of its own, a domain is not asked for ours', () => {
  const withReturnPath = [
    {},
    { SMTP_URL },
    { SMTP_URL, RELAY_PROFILE: 'own' },
    { SMTP_URL: 'smtp://u:p@smtp.sendgrid.net' },
  ]
  for (const env of withReturnPath) {
    const ids = recordsOf(domain, settingsWith(env)).map(({ id }) => id)
    assert.ok(ids.includes('return_path_mx'), JSON.stringify(env))
  }
  const settings = settingsWith({ SMTP_URL, RELAY_PROFILE: 'postmark' })
  const ids = recordsOf(domain, settings).map(({ id }) => id)
  assert.deepEqual(ids, ['s1', 'dmarc', 'tracking'])
  const missing = missingForMarketing(domain, settings).map(({ id }) => id)
  assert.deepEqual(missing, ['dmarc'])
})

test('a domain that is not verified yet is told what the provider needs besides, and a verified one is not', () => {
  const settings = settingsWith({ SMTP_URL, RELAY_PROFILE: 'postmark' })
  assert.match(
    summaryOf(domain, settings),
    /goes out through Postmark \(.*pm-bounces.*the operator/,
  )
  assert.doesNotMatch(summaryOf({ ...domain, status: 'verified' }, settings), /Postmark/)
  assert.doesNotMatch(summaryOf(domain, settingsWith({ SMTP_URL })), /goes out through/)
})
