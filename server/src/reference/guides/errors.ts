import { statusOf } from '../../core/errors.ts'
import { code, heading, type Page, table, text } from '../blocks.ts'
import { allCodes, meanings } from '../codes.ts'
import { exampleError } from '../openapi/errors.ts'
import { sdkPackage } from '../packages.ts'
import { json, print } from '../samples/print.ts'
import type { Site } from '../site.ts'

export function errorsGuide({ appUrl, gatewayUrl, slug }: Site): Page {
  return {
    path: 'guides/errors',
    title: 'Errors',
    about:
      'One table of codes, the same at every entry point. A refusal says what is wrong and how to mend it.',
    keywords: 'error codes list status',
    blocks: [
      heading('The body'),
      code('json', print(exampleError(404, slug), json)),
      table(
        ['key', 'holds'],
        [
          ['`code`, `error`', 'The code, in both.'],
          ['`message`', 'What is wrong and how to mend it, for people and models.'],
          ['`field`', 'The field at fault, such as `fields[0].key`.'],
          ['`fix`', 'The tool to call next with ready `arguments`, or a `url` to open.'],
          ['`retry_after`', 'Seconds to wait, as in the header `Retry-After`.'],
          ['`request_id`', 'Names the request in the log; also in the header `X-Request-Id`.'],
        ],
      ),
      text(
        'A code may bring further keys, such as `scope` with `scope_required` or `choices` where a business must be named. Over REST the status is the one below. As a tool, a refusal is a result with `isError: true` and this body; 401, the 403 of `scope_required` and `tier_required`, and the 429 of the request rate keep their status there too.',
      ),
      heading('See one'),
      code(
        'curl',
        `curl '${gatewayUrl}/v1/forms?limit=999' \\
  -H "Authorization: Bearer $CRIER_TOKEN"`,
      ),
      code(
        'typescript',
        `import { CrierError, createClient, sealedFile } from '${sdkPackage}/node'

const client = createClient({
  url: '${appUrl}',
  store: sealedFile({ file: '.crier/connection' }),
})

try {
  await client.form.list({ limit: 999 })
} catch (error) {
  if (!(error instanceof CrierError)) throw error
  console.log(error.code, error.message)
}`,
      ),
      code(
        'python',
        `import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    "${gatewayUrl}/v1/forms?limit=999",
    headers={"Authorization": "Bearer " + os.environ["CRIER_TOKEN"]},
)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    refusal = json.load(error)
    print(error.code, refusal["code"], refusal["message"])`,
      ),
      code(
        'php',
        `<?php
$request = curl_init('${gatewayUrl}/v1/forms?limit=999');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('CRIER_TOKEN')],
    CURLOPT_RETURNTRANSFER => true,
]);
$refusal = json_decode(curl_exec($request), true);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $refusal['code'], ' ', $refusal['message'];`,
      ),
      code('cli', 'crier form list --limit 999 || echo "It ended with $?."'),
      heading('Codes'),
      table(
        ['status', 'code', 'meaning'],
        allCodes.map((allCode) => [
          String(statusOf[allCode]),
          `[${allCode}](errors/${allCode})`,
          meanings[allCode],
        ]),
      ),
      heading('What to try again'),
      text(
        '429 and 503 after `Retry-After`; 500 and a lost connection when you can repeat safely: reads always, writes with an [idempotency key](guides/idempotency). 401 once, after a refresh. Nothing else gets better by itself.',
      ),
    ],
  }
}
