import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../tests/support/processes/cpu-time.ts'
import { limits } from '../config.ts'
import { readDeliveryStatus, readMail } from './read-report.ts'

const report = (rest = '') => `From: <>
Content-Type: multipart/report; boundary=x

--x

It failed.
--x
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.test

Final-Recipient: rfc822; ana@x.test
Action: failed
Status: 5.1.1

--x
Content-Type: message/rfc822

From: us@shop.test
${rest}`

async function statusOf(source: string | Buffer) {
  const mail = await readMail(Buffer.from(source))
  return mail && readDeliveryStatus(mail)?.verdict.status
}

test('a report whose enclosed message is truncated is read', async () => {
  assert.equal(await statusOf(report('Subject: long\n\n'.padEnd(10_000, 'y'))), '5.1.1')
})

test('a report within the byte and line limits is read, and anything beyond is ignored', async () => {
  const preamble = (bytes: number) => report().replace('It failed.', 'z'.repeat(bytes))
  assert.equal(await statusOf(preamble(limits.returnedMailBytes - 1_000)), '5.1.1')
  assert.equal(await statusOf(preamble(limits.returnedMailBytes)), undefined)
  const lines = (n: number) => report().replace('It failed.', 'z\n'.repeat(n))
  assert.equal(await statusOf(lines(limits.returnedMailLines - 20)), '5.1.1')
  assert.equal(await statusOf(lines(limits.returnedMailLines)), undefined)
})

test('unlimited nesting, unlimited headers and empty mail are not read as a report', async () => {
  const nested = Array.from(
    { length: 50 },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`,
  ).join('')
  assert.equal(await readMail(Buffer.from(nested)), undefined)
  assert.equal(await readMail(Buffer.from(`X: ${'y'.repeat(100)}\n`.repeat(1_000))), undefined)
  for (const source of ['', '\n', '\0\0\0', 'Content-Type: multipart/report\n\n--\n--\n']) {
    assert.equal(await statusOf(source), undefined)
  }
})

test('a mail made to be slow to parse takes little CPU time', async () => {
  const start = cpuMs()
  const parts = `--x\n\n`.repeat(60_000)
  await readMail(Buffer.from(`Content-Type: multipart/mixed; boundary=x\n\n${parts}`))
  await readMail(Buffer.from('\n'.repeat(1_000_000)))
  const ms = cpuMs() - start
  assert.ok(ms < 5_000, `${ms} ms`)
})

test('among several recipients of a report, a failure outweighs a delay', async () => {
  const two = report().replace(
    'Final-Recipient',
    'Final-Recipient: rfc822; ben@x.test\nAction: delayed\nStatus: 4.4.1\n\nFinal-Recipient',
  )
  assert.equal(await statusOf(two), '5.1.1')
})
