import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgedIssuer } from '../../../tests/support/clients/forged-issuer.ts'
import { parseAllowRule } from '../lib/http-client/outbound-rules.ts'
import { companyFinding } from './check-company.ts'

test('a provider that does not answer, or has another name, is said with what to set', async (t) => {
  const provider = await forgedIssuer()
  t.after(() => provider.close())
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  const client = { clientId: 'crier', clientSecret: 'secret', name: 'Example', trustedDomains: [] }
  const find = (issuer: string, changes: object = {}) =>
    companyFinding({
      baseUrl: 'https://crier.example',
      outboundAllow: [rule],
      companySignIn: { ...client, issuer },
      ...changes,
    })
  const { issuer } = provider
  assert.equal(await find(issuer, { companySignIn: undefined }), undefined)
  assert.equal((await find(issuer))?.outcome, 'ok')
  const slashed = await find(`${issuer}/`)
  assert.deepEqual([slashed?.outcome, slashed?.mend], ['warn', `Set OIDC_ISSUER=${issuer}.`])
  assert.match((await find(issuer, { outboundAllow: [] }))?.mend ?? '', /OUTBOUND_ALLOW/)
  const bare = { ...client, clientSecret: undefined, issuer }
  assert.match((await find(issuer, { companySignIn: bare }))?.mend ?? '', /OIDC_CLIENT_SECRET/)
  assert.match((await find(`${issuer}/keys`))?.text ?? '', /no description of a provider/)
  await provider.close()
  assert.match((await find(issuer))?.text ?? '', /does not answer/)
})
