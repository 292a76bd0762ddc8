import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { reportFindings } from './check-reports.ts'

const found = (env: Record<string, string>) =>
  reportFindings(readConfig({ BASE_URL: 'https://crier.example', ...env }))
const own = 'smtp://127.0.0.1:25'
const postmark = 'smtp://token:token@smtp.postmarkapp.com:587'

test('a provider whose notifications are not set up is reported with the setting and the address', () => {
  const [finding, ...more] = found({ SMTP_URL: postmark, RELAY_PROFILE: 'postmark' })
  assert.deepEqual([finding?.outcome, more], ['warn', []])
  assert.match(
    finding?.mend ?? '',
    /POSTMARK_LOGIN.*https:\/\/crier\.example\/hooks\/email\/postmark/,
  )
  const login = 'crier:a-password-of-the-tests'
  const [fine] = found({ SMTP_URL: postmark, RELAY_PROFILE: 'postmark', POSTMARK_LOGIN: login })
  assert.equal(fine?.outcome, 'ok')
  assert.ok(!JSON.stringify([finding, fine]).includes('token:'))
})

test('a relay of one’s own needs the server for bounces, and an unnamed relay of nobody known is left alone', () => {
  assert.equal(found({ SMTP_URL: own, RELAY_PROFILE: 'own' })[0]?.outcome, 'warn')
  const set = { SMTP_URL: own, RELAY_PROFILE: 'own', BOUNCE_PORT: '2525' }
  assert.equal(found(set)[0]?.outcome, 'ok')
  assert.deepEqual(found({ SMTP_URL: own }), [])
  assert.deepEqual(found({}), [])
})

test('a relay of a provider without a profile is recognised by its host, in a file by its name', (t) => {
  assert.match(found({ SMTP_URL: postmark })[0]?.mend ?? '', /RELAY_PROFILE=postmark/)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-reports-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'relays.json')
  const ses = 'smtps://u:p@email-smtp.eu-west-1.amazonaws.com'
  const relays = { a: { url: ses }, b: { url: own, profile: 'own' }, c: { url: own } }
  writeFileSync(file, JSON.stringify({ relays }))
  assert.deepEqual(
    found({ RELAYS: file }).map(({ check, outcome }) => [check, outcome]),
    [
      ['reports of a', 'warn'],
      ['reports of b', 'warn'],
    ],
  )
  assert.match(found({ RELAYS: file })[0]?.mend ?? '', /"profile": "ses"/)
})
