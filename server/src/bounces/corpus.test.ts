/**
 * Bounce reports as mail servers write them. Those of Postfix 3.7 and Exim 4.96 are real. The
 * others follow the RFCs and the documentation of their vendors.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import {
  type DeliveryStatus,
  readComplaint,
  readDeliveryStatus,
  readMail,
  readPlainBounce,
} from './read-report.ts'

const folder = path.join(import.meta.dirname, '../../../tests/corpus/reports')

type Expected = [action: string, kind: string, status: string | undefined]

const corpus: Record<string, Expected | 'complaint' | 'no report'> = {
  'postfix-hard': ['failed', 'hard', '5.1.1'],
  'postfix-disabled': ['failed', 'hard', '5.2.1'],
  'postfix-no-host': ['failed', 'hard', '5.4.4'],
  'postfix-remote-hard': ['failed', 'hard', '5.1.1'],
  'postfix-policy': ['failed', 'policy', '5.7.1'],
  'postfix-expired': ['failed', 'soft', '4.2.2'],
  'postfix-expired-452': ['failed', 'soft', '4.2.2'],
  'postfix-unreachable': ['failed', 'soft', '4.4.1'],
  'postfix-no-status': ['failed', 'hard', '5.0.0'],
  'postfix-transaction-failed': ['failed', 'unknown', '5.0.0'],
  'postfix-delivered': ['delivered', 'soft', '2.0.0'],
  'exim-no-such-user': ['failed', 'hard', '5.0.0'],
  'exim-unrouteable': ['failed', 'hard', '5.0.0'],
  'exim-remote-hard': ['failed', 'hard', '5.1.1'],
  'exim-policy': ['failed', 'policy', '5.7.1'],
  'exim-no-status': ['failed', 'hard', '5.0.0'],
  'exim-transaction-failed': ['failed', 'unknown', '5.0.0'],
  'exim-expired-452': ['failed', 'soft', '4.2.2'],
  'exim-expired-full': ['failed', 'soft', '5.0.0'],
  'gmail-no-such-user': ['failed', 'hard', '5.1.1'],
  'exchange-not-found': ['failed', 'hard', '5.1.10'],
  'outlook-access-denied': ['failed', 'hard', '5.4.1'],
  'outlook-expired': ['failed', 'soft', '5.4.300'],
  'outlook-banned': ['failed', 'policy', '5.7.606'],
  'sendmail-disabled': ['failed', 'hard', '5.2.1'],
  'sendmail-delayed': ['delayed', 'soft', '4.4.1'],
  // Gateways and sendmail write 5.1.1 for any 550: the server's own words are about the sender.
  'gateway-block-list': ['failed', 'policy', '5.7.1'],
  'gateway-spam': ['failed', 'policy', '5.1.1'],
  'qmail-no-mailbox': ['failed', 'hard', '5.1.1'],
  'arf-abuse': 'complaint',
  'arf-not-spam': 'no report',
  vacation: 'no report',
}

async function mailIn(name: string) {
  const mail = await readMail(readFileSync(path.join(folder, `${name}.eml`)))
  return mail ?? assert.fail(`${name} cannot be read`)
}

const shown = (status: DeliveryStatus) => [
  status.action,
  status.verdict.kind,
  status.verdict.status,
]

for (const [name, expected] of Object.entries(corpus)) {
  test(`the corpus message ${name} is classified correctly`, async () => {
    const mail = await mailIn(name)
    const status = readDeliveryStatus(mail) ?? readPlainBounce(mail)
    const complaint = readComplaint(mail)
    if (Array.isArray(expected)) {
      assert.deepEqual(status && shown(status), expected)
      assert.equal(complaint, undefined)
    } else {
      assert.equal(status, undefined)
      assert.equal(complaint !== undefined, expected === 'complaint')
    }
  })
}

test('every message of the corpus has a test', () => {
  const files = readdirSync(folder).map((file) => file.replace(/\.eml$/, ''))
  assert.deepEqual(files.toSorted(), Object.keys(corpus).toSorted())
})

test('the remote server’s reply is kept, or its plain text where it has no code', async () => {
  const words = async (name: string) => readDeliveryStatus(await mailIn(name))?.words
  assert.equal(await words('postfix-policy'), '550 5.7.1 Blocked by policy')
  assert.equal(await words('exim-unrouteable'), 'Unrouteable address')
  assert.equal(await words('exim-expired-full'), 'mailbox is full: retry timeout exceeded')
  assert.equal(readComplaint(await mailIn('arf-abuse'))?.words, 'abuse, SomeGenerator/1.0')
})
