import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './readers.ts'
import { readStorage } from './storage.ts'

const keys = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'hunter2' }
const read = (env: Record<string, string>) => readStorage((name) => env[name])

test('a storage bucket has a prefix, a region and a service address', () => {
  const credentials = { keyId: 'AKIATEST', secret: 'hunter2' }
  assert.deepEqual(read({ STORAGE_URL: 's3://my.bucket', ...keys }), {
    kind: 'bucket',
    bucket: {
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      name: 'my.bucket',
      credentials,
    },
    prefix: '',
  })
  const elsewhere = { AWS_REGION: 'fsn1', AWS_ENDPOINT_URL_S3: 'https://objects.example:9000' }
  assert.deepEqual(read({ STORAGE_URL: 's3://files/crier/prod/', ...keys, ...elsewhere }), {
    kind: 'bucket',
    bucket: {
      endpoint: 'https://objects.example:9000',
      region: 'fsn1',
      name: 'files',
      credentials,
    },
    prefix: 'crier/prod/',
  })
})

test('a storage folder is read from a file URL', () => {
  const folder = '/mnt/crier files'
  assert.deepEqual(read({ STORAGE_URL: 'file:///mnt/crier%20files' }), { kind: 'folder', folder })
  assert.equal(read({}), undefined)
})

const wrong: [Record<string, string>, RegExp][] = [
  [{ STORAGE_URL: 'files' }, /^STORAGE_URL must be s3:\/\/bucket/],
  [{ STORAGE_URL: 'https://files.example', ...keys }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 's3://AKIATEST:hunter2@files', ...keys }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 's3://b', ...keys }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 's3://files?region=x', ...keys }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 'file:///' }, /^STORAGE_URL must be/],
  [{ STORAGE_URL: 's3://files', AWS_ACCESS_KEY_ID: 'AKIATEST' }, /AWS_SECRET_ACCESS_KEY/],
  [{ STORAGE_URL: 's3://files', ...keys, AWS_ENDPOINT_URL_S3: 'objects' }, /^AWS_ENDPOINT_URL_S3/],
]

for (const [env, message] of wrong) {
  test(`the storage settings ${JSON.stringify(env)} are refused, without repeating a secret`, () => {
    assert.throws(
      () => read(env),
      (error) =>
        error instanceof ConfigError &&
        message.test(error.message) &&
        !error.message.includes('hunter2'),
    )
  })
}
