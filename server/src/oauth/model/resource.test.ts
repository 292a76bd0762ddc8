import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf } from './addresses.ts'
import { checkResource } from './resource.ts'

const addresses = addressesOf({
  baseUrl: 'https://api.example',
  appUrl: 'https://app.example',
  gatewayUrl: 'https://gateway.example',
  slug: 'svc',
})

test('a resource may be missing, an endpoint of ours with or without a slash, or its origin', () => {
  for (const resource of [
    undefined,
    'https://app.example/api/functions/svc-mcp',
    'https://app.example/api/functions/svc-mcp/',
    'https://app.example/mcp',
    'https://app.example',
    'https://app.example/',
    'https://gateway.example/v1',
    'https://gateway.example',
  ]) {
    assert.equal(checkResource(addresses, resource), undefined, resource)
  }
})

test('any other resource is refused as an invalid target', () => {
  for (const resource of [
    'https://other.example',
    'http://app.example',
    'https://app.example/api/functions',
    'https://app.example/api/functions/svc-mcp//',
    'https://app.example/api/functions/svc-mcp#x',
    'https://app.example.evil.example',
    'mcp',
  ]) {
    assert.equal(checkResource(addresses, resource)?.code, 'invalid_target', resource)
  }
})
