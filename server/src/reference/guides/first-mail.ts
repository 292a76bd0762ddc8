import { code, heading, list, type Page, text } from '../blocks.ts'
import { installCli, installSdk, sdkPackage } from '../packages.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

/** The first page of the developers' shelf. A test follows it word for word. */
export function firstMailGuide(site: Site): Page {
  const { appUrl, gatewayUrl } = site
  return {
    path: 'guides/first-mail',
    title: 'Send your first mail in two minutes',
    about: 'A test key, one call, and the mail as its recipient would see it. Nobody gets it.',
    keywords: 'getting started hello world first email quick start',
    blocks: [
      heading('Make a test key'),
      text(
        `Open \`${appUrl}/b\` and sign in. Under **Settings**, follow **API keys**, press **New key**, name it, tick **Test key**, choose the task **Send receipts and notifications**, and make it. It needs no verified domain: what it sends stays on this service, as [Test your email](help/testing) explains.`,
      ),
      code('sh', 'export CRIER_API_KEY=crk_…'),
      heading('Install what you use'),
      text(
        'curl, Python and PHP need nothing more. For TypeScript and JavaScript, install the library in the folder of your program. Save each example there as `mail.mjs`, and run it with `node mail.mjs` (Node 20.3 or newer).',
      ),
      code('sh', installSdk(site)),
      text('The command line (Node 20.12 or newer) is told where this service is.'),
      code('sh', `${installCli(site)}\nexport CRIER_URL=${appUrl}`),
      heading('Send'),
      code(
        'curl',
        `curl -X POST ${gatewayUrl}/v1/emails \\
  -H "Authorization: Bearer $CRIER_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"to":"ana@example.com","subject":"Your order","text":"It is on its way."}'`,
      ),
      code(
        'typescript',
        `import { createClient } from '${sdkPackage}'

const client = createClient({ url: '${appUrl}', apiKey: process.env['CRIER_API_KEY'] ?? '' })
const { message_id } = await client.email.send({
  to: 'ana@example.com',
  subject: 'Your order',
  text: 'It is on its way.',
})
console.log(message_id)`,
      ),
      code(
        'python',
        `import json, os, urllib.request

request = urllib.request.Request(
    "${gatewayUrl}/v1/emails",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["CRIER_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "to": "ana@example.com",
        "subject": "Your order",
        "text": "It is on its way.",
    }).encode(),
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())`,
      ),
      code(
        'php',
        `<?php
$request = curl_init('${gatewayUrl}/v1/emails');
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('CRIER_API_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'to' => 'ana@example.com',
        'subject' => 'Your order',
        'text' => 'It is on its way.',
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($request);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    exit("Refused: $answer\\n");
}
echo $answer;`,
      ),
      code(
        'cli',
        `crier email send --to ana@example.com --subject 'Your order' --text 'It is on its way.'`,
      ),
      heading('Read it'),
      text('The inbox waits for the mail, and answers with its text and links.'),
      ...callSamples(
        {
          name: 'inbox.list',
          input: { to: 'ana@example.com', wait: '10s' },
          request: {
            method: 'GET',
            path: '/v1/inbox?to=ana@example.com&wait=10s',
            body: undefined,
          },
          cli: 'inbox list --to ana@example.com --wait 10s',
        },
        site,
        'CRIER_API_KEY',
      ),
      heading('Then'),
      list(
        'The [library](guides/sdks) retries for you, and goes through lists page by page.',
        'Verify a domain with [domain.add](operations/domain.add), and put a live key in place of the test key: the calls stay the same.',
        'Hear of deliveries, bounces and complaints: [webhooks](guides/webhooks).',
        'All that a program needs to know of keys: [Send from your code](guides/send-from-your-code).',
      ),
    ],
  }
}
