import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketServer } from '../../../tests/support/network/bucket-server.ts'
import { storageFinding } from './check-storage.ts'

test('a bucket that refuses the key is reported with its error code', async (t) => {
  const server = await bucketServer()
  t.after(() => server.close())
  const storage = { kind: 'bucket' as const, bucket: server, prefix: 'crier/' }
  assert.equal((await storageFinding({ storage })).outcome, 'ok')
  assert.equal((await storageFinding({ storage: undefined })).outcome, 'ok')
  const credentials = { ...server.credentials, secret: 'hunter2' }
  const wrong = { ...storage, bucket: { ...server, credentials } }
  const { outcome, text, mend } = await storageFinding({ storage: wrong })
  assert.equal(outcome, 'fail')
  assert.match(
    text,
    /^bucket crier-files at 127.0.0.1:\d+ does not work \(SignatureDoesNotMatch\)$/,
  )
  assert.match(mend ?? '', /AWS_REGION/)
})
