import { code, heading, type Page, steps, text } from '../blocks.ts'
import { installCli, installSdk, sdkPackage } from '../packages.ts'
import type { Site } from '../site.ts'

export function quickStartGuide(site: Site): Page {
  const { appUrl, gatewayUrl, slug } = site
  return {
    path: 'guides/quick-start',
    title: 'Quick start',
    about: 'From nothing to a saved contact: by an assistant, a command, a program or curl.',
    blocks: [
      heading('An assistant'),
      text(
        `Give an assistant that speaks MCP one address: \`${appUrl}/api/functions/${slug}-mcp\`. It finds the rest by itself and sends you here to agree. Some assistants want a shorter path: \`${appUrl}/mcp\` is the same.`,
      ),
      heading('The command line'),
      text(
        'This service hands out its own command line, with all that it needs of ours inside (Node 20.12 or newer). `login` opens a browser, waits for the link in your mail, and keeps the connection, sealed.',
      ),
      code('sh', installCli(site)),
      code('sh', `export CRIER_URL=${appUrl}\ncrier login`),
      code('cli', 'crier contact upsert --email ana@example.com --name Ana'),
      code('cli', 'crier meta changes --limit 5'),
      heading('A program'),
      text(
        'The library for TypeScript and JavaScript comes from this service too. `signIn` registers the program and resolves when the person has followed the link in their mail. Later runs find the connection in the file.',
      ),
      code('sh', installSdk(site)),
      code(
        'typescript',
        `import { createClient, sealedFile } from '${sdkPackage}/node'

const client = createClient({
  url: '${appUrl}',
  store: sealedFile({ file: '.crier/connection' }),
})

if ((await client.status()).state !== 'signed_in') {
  await client.signIn({
    scopes: ['audience:read', 'audience:write'],
    open: (url) => console.log(\`Open \${url}\`),
  })
}

const { contact_id } = await client.contact.upsert({ email: 'ana@example.com', name: 'Ana' })
console.log(await client.contact.get({ contact_id }))`,
      ),
      heading('curl'),
      text(
        'With an access token in `CRIER_TOKEN`; [authentication](guides/authentication) says how to get one.',
      ),
      code(
        'curl',
        `curl -X PUT ${gatewayUrl}/v1/contacts \\
  -H "Authorization: Bearer $CRIER_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ana@example.com","name":"Ana"}'`,
      ),
      heading('Next'),
      steps(
        'Publish a form with [form.save](operations/form.save), and submit to it with [form.submit](operations/form.submit).',
        'Follow what happens with [meta.changes](operations/meta.changes), or have it delivered: [webhooks](guides/webhooks).',
        'Read [errors](guides/errors): every refusal says how to mend it.',
      ),
    ],
  }
}
