import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callTool } from '../support/clients/plain-client.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { type Finished, newHome, type Program } from '../support/processes/client-process.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { inspectorIn } from './inspector-run.ts'
import { endConnection } from './person.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness } from './tool-call.ts'

const address = /navigate to: (http\S+)/
const authRequired = 3
const callBusinesses = ['--method', 'tools/call', '--tool-name', businessList]
const callProbe = ['--method', 'tools/call', '--tool-name', probe]
const storedOnly = ['--stored-auth-only']

test('the Inspector CLI completes its steps', async (t) => {
  const service = await startService()
  const home = await newHome()
  const port = await freePort()
  const inspector = inspectorIn(home, service.url + toolPath, port)
  const email = newPerson()
  let program: Program
  let printed = ''
  t.after(async () => {
    await inspector.stop()
    await home.remove()
    await service.close()
  })

  const finish = async (method: readonly string[], more: readonly string[] = []) =>
    (await inspector.run(method, more)).done
  const signInAt = async (entry: Program) => {
    printed = (await entry.printed(address))[1] ?? ''
    const page = await approveAndReturn(printed, { email })
    assert.equal(page.status, 200)
  }

  await runSteps(t, clients.inspectorCli, {
    async discover() {
      program = await inspector.run(callBusinesses)
      printed = (await program.printed(address))[1] ?? ''
      assert.ok(printed.startsWith(`${service.url}/functions/v1/mcp-oauth?`))
    },
    async register() {
      assert.ok(new URL(printed).searchParams.get('client_id'))
    },
    async 'sign in'() {
      const asked = new URL(printed).searchParams
      assert.equal(asked.get('code_challenge_method'), 'S256')
      assert.ok(asked.get('state'))
      assert.equal(asked.get('scope'), 'meta:read')
      await signInAt(program)
      assertOwnBusiness(resultIn(await program.done))
    },
    async call() {
      assertOwnBusiness(resultIn(await finish(callBusinesses, storedOnly)))
      const modern = [...storedOnly, '--protocol-era', 'modern']
      assertOwnBusiness(resultIn(await finish(callBusinesses, modern)))
      const elsewhere = await newHome()
      const alias = inspectorIn(elsewhere, service.url + aliasPath, port)
      t.after(async () => {
        await alias.stop()
        await elsewhere.remove()
      })
      const first = await alias.run(callBusinesses)
      await signInAt(first)
      assertOwnBusiness(resultIn(await first.done))
    },
    async 'step up'() {
      const asking = await inspector.run(callProbe)
      await asking.printed(/Proceed with step-up authorization/)
      asking.stdin.end('y\n')
      await signInAt(asking)
      assert.ok(new URL(printed).searchParams.get('scope')?.split(' ').includes(probeScope))
      assert.ok(resultIn(await asking.done))
    },
    async refresh() {
      await inspector.snapshot('before-refresh')
      const before = await inspector.accessTokens()
      await inspector.spoilAccessTokens()
      assertOwnBusiness(resultIn(await finish(callBusinesses, storedOnly)))
      const after = await inspector.accessTokens()
      assert.ok(after.some((token) => !before.some((old) => token.startsWith(old))))
    },
    async reuse() {
      await inspector.snapshot('newest')
      await inspector.restore('before-refresh')
      await inspector.spoilAccessTokens()
      assert.equal((await finish(callBusinesses, storedOnly)).code, authRequired)
      await inspector.restore('newest')
      await inspector.spoilAccessTokens()
      assertOwnBusiness(resultIn(await finish(callBusinesses, storedOnly)))
    },
    async 'cut off'() {
      await inspector.snapshot('live')
      const again = await inspector.run(callBusinesses, ['--relogin'])
      await again.printed(address)
      await again.stop()
      await inspector.restore('live')
      const [token] = await inspector.accessTokens()
      const still = await callTool(service.url, token, businessList)
      assert.equal(still.status, 200, 'the matrix says that --relogin revokes nothing')

      const clientId = new URL(printed).searchParams.get('client_id') ?? ''
      const [refreshToken] = await inspector.refreshTokens()
      await endConnection(service.url, clientId, refreshToken ?? '')
      assert.equal((await callTool(service.url, token, businessList)).status, 401)
      assert.equal((await finish(callBusinesses, storedOnly)).code, authRequired)
    },
  })
})

function resultIn({ code, stdout, stderr }: Finished): unknown {
  assert.equal(code, 0, `${stdout}\n${stderr}`)
  const printed = JSON.parse(stdout) as { result?: unknown }
  return printed.result ?? printed
}
