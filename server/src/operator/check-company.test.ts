import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { forgedIssuer } from '../../../tests/support/clients/forged-issuer.ts'
import { testDatabase } from '../../../tests/support/postgres/database.ts'
import { formatId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { parseAllowRule } from '../lib/http-client/outbound-guard.ts'
import { companiesFinding, companyFinding } from './check-company.ts'

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

test('providers of businesses that are silent are not waited for long', async (t) => {
  const { db, drop } = await testDatabase()
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    silent.closeAllConnections()
    silent.close()
    await drop()
  })
  const { port } = silent.address() as AddressInfo
  for (let index = 0; index < 20; index += 1) {
    await db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, name, saved_at)
      values (${await newBusiness(db)}, ${`http://127.0.0.1:${port}/${index}`}, 'x', 'x', now())
    `)
  }
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  const begun = performance.now()
  const config = { baseUrl: 'http://127.0.0.1', outboundAllow: [rule] }
  const finding = await companiesFinding(db, config)
  assert.match(finding?.text ?? '', /^0 of 20 providers answer: .*timeout/)
  assert.ok(performance.now() - begun < 10_000, 'all of them within one short deadline')
})

test('of the providers of businesses it says how many answer, whose do not, and no secret', async (t) => {
  const { db, drop } = await testDatabase()
  const provider = await forgedIssuer()
  t.after(async () => {
    await provider.close()
    await drop()
  })
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  const config = { baseUrl: 'https://crier.example', outboundAllow: [rule] }
  assert.equal(await companiesFinding(db, config), undefined)
  const add = async (issuer: string) => {
    const business = await newBusiness(db)
    await db.run(sql`
      insert into identity_providers (business_id, issuer, client_id, client_secret, name, saved_at)
      values (${business}, ${issuer}, 'of this client', 'of this secret', 'Works', now())
    `)
    return business
  }
  await add(provider.issuer)
  await add(provider.issuer)
  const sound = await companiesFinding(db, config)
  assert.deepEqual([sound?.outcome, sound?.text], ['ok', '1 of 1 providers answer'])
  const misnamed = await add(`${provider.issuer}/`)
  const closed = await add('http://127.0.0.1:1')
  await db.run(sql`update businesses set closed_at = now() where id = ${closed}`)
  const finding = await companiesFinding(db, config)
  assert.equal(finding?.outcome, 'warn')
  assert.match(finding?.text ?? '', /^1 of 2 providers answer: .* names itself/)
  assert.match(finding?.text ?? '', new RegExp(formatId('business', misnamed)))
  assert.doesNotMatch(JSON.stringify(finding), /of this/)
})
