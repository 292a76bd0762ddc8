/**
 * Names that every JavaScript object inherits, sent wherever a caller's or a stranger's text
 * selects something: each endpoint answers that it does not exist, and none fails.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oauthPath } from 'crier-server/oauth/model/addresses.ts'
import { exampleInput } from 'crier-server/reference/examples/inputs.ts'
import { assertNoFault } from '../operations/support/no-fault.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { registered } from '../support/clients/plain-client.ts'
import { toolCall } from '../support/clients/tool-caller.ts'

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
const redirectUri = 'http://localhost:41870/callback'

let testbed: OwnTestbed
let url: string
before(async () => {
  testbed = await openTestbed({
    settings: {
      SES_TOPICS: topic,
      PROVIDER_SECRET: 'a secret of at least 32 characters, no less',
      SMS_URL: 'kannel://us:password@127.0.0.1:1?key=k',
      CLIENT_DOCUMENTS: 'yes',
    },
  })
  url = testbed.service.url
})
after(() => testbed.close())

interface Sent {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

const json = (path: string, body: string): Sent => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
})
const form = (path: string, fields: Record<string, string>): Sent => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
/** Also adds the name as a key, which `JSON.stringify` would treat as a prototype. */
const withKey = (name: string, fields: object) =>
  JSON.stringify(fields).replace(/\}$/, `,${JSON.stringify(name)}:${JSON.stringify(name)}}`)

/** Requests that anybody may send without a token. */
function sentByStrangers(name: string, clientId: string): Sent[] {
  const sns = { MessageId: 'm', TopicArn: topic, Timestamp: 't', Message: '{}', Signature: 'AA==' }
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
    scope: 'meta:read',
  }
  const exchanged = { grant_type: 'authorization_code', client_id: clientId, code: 'c' }
  const registration = { redirect_uris: [redirectUri], client_name: 'x' }
  const pages = ['/', '/docs/', '/docs/operations/', '/hooks/email/', '/hooks/sms/', '/v1/', '/c/']
  const more = ['/o/', '/u/', '/inbox/', '/phones/', '/campaigns/', '/.well-known/', '/sign-in/']
  return [
    ...[...pages, ...more].flatMap((path) => [
      { path: `${path}${name}` },
      { path: `${path}?${name}=${name}` },
      json(`${path}${name}`, withKey(name, { Type: name })),
    ]),
    { path: '/', headers: { cookie: `${name}=${name}; crier-session=${name}` } },
    { path: '/', headers: { accept: name, 'accept-language': name, [name]: name } },
    json('/hooks/email/ses', JSON.stringify({ ...sns, Type: name })),
    json('/hooks/email/ses', JSON.stringify({ ...sns, Type: [name] })),
    json(
      '/hooks/email/ses',
      JSON.stringify({ ...sns, Type: 'Notification', SignatureVersion: name }),
    ),
    { path: `/hooks/sms/kannel?key=k&id=i&type=${name}` },
    ...Object.keys(asked).map((field) => ({
      path: `${oauthPath}?${new URLSearchParams({ ...asked, [field]: name })}`,
    })),
    ...Object.keys(exchanged).map((field) => form(oauthPath, { ...exchanged, [field]: name })),
    form(oauthPath, { ...exchanged, [name]: name }),
    form(`${oauthPath}/revoke`, { token: name, token_type_hint: name }),
    form('/sign-in', { email: name, [name]: name }),
    form('/login', { email: name, next: name }),
    ...['redirect_uris', 'grant_types', 'response_types', 'token_endpoint_auth_method'].flatMap(
      (field) => [
        json(`${oauthPath}/register`, JSON.stringify({ ...registration, [field]: name })),
        json(`${oauthPath}/register`, JSON.stringify({ ...registration, [field]: [name] })),
      ],
    ),
    json(`${oauthPath}/register`, withKey(name, registration)),
    json(new URL(testbed.service.endpoint).pathname, rpc(name)),
  ]
}

const rpc = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

for (const name of names) {
  test(`an anonymous request containing ${name} gets no server error from any endpoint`, async () => {
    const clientId = await registered(url, redirectUri)
    for (const { path, ...init } of sentByStrangers(name, clientId)) {
      const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...init })
      const text = await answer.text()
      assert.ok(answer.status < 500, `${init.method ?? 'GET'} ${path} ${init.body}: ${text}`)
    }
  })

  test(`a caller’s request containing ${name} gets no server error from any operation`, async () => {
    const businessId = await testbed.newBusiness()
    const caller = await testbed.caller({ businesses: [businessId] })
    for (const method of [name, 'tools/call', 'initialize', 'resources/read', 'prompts/get']) {
      assertNoFault(await caller.send(rpc(method, { name, uri: name, protocolVersion: name })))
    }
    assertNoFault(await caller.send(toolCall(name)))
    for (const operation of catalog) {
      const input = exampleInput(operation)
      const fields = Object.keys(operation.input.properties)
      for (const field of fields) {
        for (const value of [name, [name], { type: name, [name]: name, key: name }]) {
          const answer = await caller.send(toolCall(operation.name, { ...input, [field]: value }))
          assertNoFault(answer)
        }
      }
      const more = Object.fromEntries([[name, name], ...Object.entries(input)])
      assertNoFault(await caller.call(operation.name, more))
    }
  })
}

test('an SNS message of an unknown type is refused with 400', async () => {
  for (const Type of names) {
    const answer = await fetch(`${url}/hooks/email/ses`, {
      method: 'POST',
      body: JSON.stringify({ Type, TopicArn: topic }),
    })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /not an Amazon SNS message/)
  }
})
