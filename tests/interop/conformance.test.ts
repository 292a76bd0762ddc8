import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, registered } from '../support/clients/plain-client.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { newHome } from '../support/processes/client-process.ts'
import { startService } from '../support/processes/service.ts'
import { startBearerProxy } from './bearer-proxy.ts'
import {
  authorizationScenarios,
  baseline,
  passes,
  type Revision,
  revisions,
  skippedBySuite,
} from './conformance-baseline.ts'
import { conformanceFixtures } from './conformance-fixtures.ts'
import { type Check, faults, type Results, startSuite, succeeded } from './conformance-run.ts'
import { toolPath } from './fixtures.ts'

const argumentsFor: Record<Revision, string[]> = {
  // The suite has no requirement set for this revision, so all of its scenarios run.
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2026-07-28': ['--requirements', '2026-07-28'],
}

test('the tool endpoint conforms to MCP', async (t) => {
  const service = await startService({ operations: conformanceFixtures })
  t.after(() => service.close())
  const { tokens } = await connect(service.url)
  const proxy = await startBearerProxy(service.url, tokens.access_token)
  t.after(() => proxy.close())

  for (const revision of revisions) {
    await t.test(`the tool endpoint conforms to revision ${revision}`, async () => {
      const home = await newHome()
      t.after(() => home.remove())
      const url = ['server', '--url', proxy.url + toolPath]
      const suite = await startSuite(home, [...url, ...argumentsFor[revision]])
      compare(revision, await suite.results())
    })
  }
})

test('the authorization server conforms to the conformance suite', async (t) => {
  const service = await startService({ settings: { CLIENT_DOCUMENTS: 'yes' } })
  t.after(() => service.close())
  const home = await newHome()
  const port = await freePort()
  const clientId = await registered(service.url, `http://127.0.0.1:${port}/callback`)
  const about = ['authorization', '--url', service.url, '--resource', service.url + toolPath]
  const as = ['--client-id', clientId, '--port', String(port)]
  const suite = await startSuite(home, [...about, ...as])
  t.after(async () => {
    await suite.program.stop()
    await home.remove()
  })
  const [address] = await suite.program.printed(/^http\S+code_challenge\S+$/m)
  await approveAndReturn(address, { email: newPerson() })
  const results = await suite.results()
  assert.deepEqual([...results.keys()].sort(), [...authorizationScenarios].sort())
  for (const [scenario, checks] of results) {
    assert.ok(succeeded(checks), `${scenario}: ${tell(checks)}`)
  }
})

function compare(revision: Revision, results: Results): void {
  const wholly = new Set(baseline.flatMap((group) => group.scenarios ?? []))
  const single = new Set(baseline.flatMap((group) => group.checks ?? []))
  const wrong: string[] = []
  for (const scenario of passes[revision]) {
    if (!results.has(scenario)) wrong.push(`${scenario} did not run`)
  }
  for (const [scenario, checks] of results) {
    if (wholly.has(scenario) || wholly.has(`${scenario}@${revision}`)) {
      if (faults(checks).length === 0) wrong.push(`${scenario} passes, so it leaves the baseline`)
    } else if (skippedBySuite.includes(scenario)) {
      if (faults(checks).length > 0) wrong.push(`${scenario}: ${tell(checks)}`)
      if (succeeded(checks)) wrong.push(`${scenario} is no longer skipped by the suite`)
    } else if (passes[revision].includes(scenario)) {
      const others = checks.filter(({ id }) => !single.has(`${scenario}:${id}`))
      if (faults(others).length > 0) wrong.push(`${scenario}: ${tell(others)}`)
      for (const { id, status } of checks) {
        if (single.has(`${scenario}:${id}`) && status === 'SUCCESS') {
          wrong.push(`${scenario}:${id} passes, so it leaves the baseline`)
        }
      }
    } else wrong.push(`${scenario} is in neither list: ${tell(checks)}`)
  }
  assert.deepEqual(wrong, [])
}

const tell = (checks: readonly Check[]): string =>
  faults(checks)
    .map(({ id, status, errorMessage }) => `${status} ${id} ${errorMessage ?? ''}`)
    .join('; ') || 'no faults'
