import { code, heading, list, type Page, text } from '../blocks.ts'
import { installCli, installSdk, sdkPackage } from '../packages.ts'
import type { Site } from '../site.ts'

export function sdksGuide(site: Site): Page {
  const { appUrl, gatewayUrl } = site
  return {
    path: 'guides/sdks',
    title: 'Client libraries',
    about:
      'TypeScript and JavaScript have a package from this service. Python, PHP and other languages call REST with what they come with, or with a client made from the OpenAPI description.',
    keywords: 'sdk python php ruby go java client library openapi spec download generator',
    blocks: [
      heading('TypeScript and JavaScript'),
      text(
        'It runs wherever there is `fetch`: Node 20.3 and newer, Bun, Deno, Workers. It retries, waits for `Retry-After`, makes idempotency keys and goes through lists page by page.',
      ),
      code('text', installSdk(site)),
      code(
        'typescript',
        `import { createClient } from '${sdkPackage}'

const client = createClient({ url: '${appUrl}', apiKey: process.env['CRIER_API_KEY'] ?? '' })

for await (const contact of client.contact.list.all({ limit: 100 })) console.log(contact.email)`,
      ),
      heading('Python and PHP'),
      text(
        'There is no package for them yet. Each page of an operation has its call in plain Python (`urllib`) and plain PHP (`curl`), which need nothing else.',
      ),
      heading('Other languages'),
      list(
        `[openapi.json](/openapi.json) is the OpenAPI 3.1 description of this service, with named schemas: download it from \`${gatewayUrl}/openapi.json\` and make a client with the generator of your language.`,
        'Where you write the calls yourself: send `Authorization: Bearer` with a key, JSON in UTF-8, and an `Idempotency-Key` with each write that you may repeat ([idempotency](guides/idempotency)).',
      ),
      heading('The command line'),
      code('text', installCli(site)),
      text('Every operation is a command: `crier contact list --limit 5`.'),
    ],
  }
}
