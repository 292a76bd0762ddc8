/**
 * A real app of Next.js, built for production with the SDK that the service serves: a route sends a mail
 * written with React Email, and another receives webhooks. Next is installed for this test alone.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createClient, signWebhook } from '@crier-mail/sdk/node'
import { packageFiles } from 'crier-server/reference/packages.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { freePort } from '../support/network/port.ts'
import { npmTools } from '../support/processes/npm-tools.ts'
import { startService } from '../support/processes/service.ts'
import { eventually } from '../support/time/eventually.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')

const tools = await npmTools('next', [
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  '@react-email/render@2.3.1',
]).catch((error: Error) => error)
const skip = tools instanceof Error ? `Next cannot be installed here: ${tools.message}` : false
if (skip) process.stderr.write(`SKIPPED: ${skip}\n`)

const pages: Record<string, string> = {
  'package.json': '{"private":true,"type":"module"}',
  'next.config.mjs': 'export default { images: { unoptimized: true } }',
  'app/layout.js':
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.js': 'export default () => <p>Shop</p>',
  'app/webhooks/route.js': `import { nextHandler } from '@crier-mail/sdk/webhooks'

export const POST = nextHandler({
  secret: process.env.WEBHOOK_SECRET,
  onEvent: ({ id }) => console.log(\`heard \${id}\`),
})
`,
}

test('an app of Next sends mail written with React Email, and receives webhooks', {
  skip,
  timeout: 600_000,
}, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-next-'))
  const service = await startService()
  const programs: ReturnType<typeof spawn>[] = []
  t.after(async () => {
    for (const program of programs) program.kill('SIGKILL')
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })
  for (const [name, text] of Object.entries(pages)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
    await writeFile(path.join(folder, name), text)
  }
  await mkdir(path.join(folder, 'app/orders'))
  const example = path.join(root, 'examples/receipts/next-route.ts')
  // Without types, as Next would install its own to check them.
  const route = stripTypeScriptTypes(await readFile(example, 'utf8'))
  await writeFile(path.join(folder, 'app/orders/route.js'), route)
  const archive = path.join(folder, 'sdk.tgz')
  await writeFile(archive, await fetch(service.url + packageFiles.sdk).then((file) => file.bytes()))
  const sdk = path.join(folder, 'node_modules/@crier-mail/sdk')
  await mkdir(sdk, { recursive: true })
  await run('tar', ['-xzf', archive, '--strip-components=1', '-C', sdk])
  // 350 MB, of which no copy is needed.
  const packages = path.join(String(tools), 'node_modules')
  for (const name of await readdir(packages)) {
    await symlink(path.join(packages, name), path.join(folder, 'node_modules', name))
  }

  const { secret } = await newApiKey(service.db, { businessId: await newBusiness(service.db) })
  const port = await freePort()
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production' as const,
    CRIER_URL: service.url,
    CRIER_API_KEY: secret,
    WEBHOOK_SECRET: 'whsec_of-a-test',
  }
  const next = path.join(String(tools), 'node_modules/next/dist/bin/next')
  await run(process.execPath, [next, 'build', '--webpack'], { cwd: folder, env })
  const words = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)]
  const server = spawn(process.execPath, words, { cwd: folder, env })
  programs.push(server)
  let said = ''
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  }
  const url = `http://127.0.0.1:${port}`
  const isUp = await eventually(
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    (up) => up,
  )
  assert.ok(isUp, said)

  const order = JSON.stringify({ id: '1017', email: 'ana@example.com', total: '12 EUR' })
  const answer = await fetch(`${url}/orders`, { method: 'POST', body: order })
  assert.equal(answer.status, 202, said)
  const { message_id } = (await answer.json()) as { message_id: string }
  const client = createClient({ url: service.url, apiKey: secret })
  const { subject, content } = await client.message.get({ message_id, content: true })
  assert.equal(subject, 'Your receipt for order 1017')
  assert.match(content?.html ?? '', /<h1>Order (<!-- -->)?1017<\/h1>/)
  assert.match(content?.text ?? '', /You paid 12 EUR/)
  // The order comes again: one receipt.
  const again = await fetch(`${url}/orders`, { method: 'POST', body: order })
  assert.deepEqual(await again.json(), { message_id })

  const event = { id: 'evt_1', type: 'domain.verified', business_id: 'bus_1', data: {} }
  const body = JSON.stringify({ ...event, created_at: new Date().toISOString() })
  const headers = signWebhook({ body, secret: 'whsec_of-a-test', deliveryId: 'dlv_1' })
  const deliver = (bytes: string) =>
    fetch(`${url}/webhooks`, { method: 'POST', headers, body: bytes })
  assert.equal((await deliver(body)).status, 204, said)
  assert.equal((await deliver(`${body} `)).status, 400)
  assert.equal(said.split('heard evt_1').length, 2, said)
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
})
