import { code, heading, list, type Page, text } from '../blocks.ts'
import { sdkPackage } from '../packages.ts'
import { callSamples } from '../samples/operation.ts'
import type { Site } from '../site.ts'

export function cursorsGuide(site: Site): Page {
  const { appUrl, gatewayUrl } = site
  return {
    path: 'guides/cursors',
    title: 'Cursors',
    about: 'Lists come in pages, and the feed of events goes on where you left it.',
    keywords: 'pagination next page limit 100 50 list',
    blocks: [
      heading('Lists'),
      text(
        'Newest first, as many as fit 20 kB, up to 50 a page; or as many as `limit` says, up to 200. Where `more` is true, pass `next_cursor` as `cursor`; on the last page it is null (tools leave both out there). What is added meanwhile stands before the first page, so that no page repeats or skips anything.',
      ),
      code(
        'curl',
        `cursor=
while
  page=$(curl "${gatewayUrl}/v1/contacts?limit=200$cursor" \\
    -H "Authorization: Bearer $CRIER_TOKEN") || exit 1
  echo "$page"
  next=$(echo "$page" | sed -n 's/.*"next_cursor":"\\([^"]*\\)".*/\\1/p')
  [ -n "$next" ]
do
  cursor="&cursor=$next"
done`,
      ),
      code(
        'typescript',
        `import { createClient, sealedFile } from '${sdkPackage}/node'

const client = createClient({
  url: '${appUrl}',
  store: sealedFile({ file: '.crier/connection' }),
})

let cursor: string | null = null
do {
  const page = await client.contact.list({ limit: 200, ...(cursor && { cursor }) })
  for (const contact of page.contacts) console.log(contact.contact_id, contact.email)
  cursor = page.next_cursor
} while (cursor)`,
      ),
      code(
        'python',
        `import json, os, urllib.parse, urllib.request

query = {"limit": 200}
while True:
    request = urllib.request.Request(
        "${gatewayUrl}/v1/contacts?" + urllib.parse.urlencode(query),
        headers={"Authorization": "Bearer " + os.environ["CRIER_TOKEN"]},
    )
    with urllib.request.urlopen(request) as answer:
        page = json.load(answer)
    for contact in page["contacts"]:
        print(contact["contact_id"], contact["email"])
    if not page["more"]:
        break
    query["cursor"] = page["next_cursor"]`,
      ),
      code(
        'php',
        `<?php
$query = ['limit' => 200];
do {
    $request = curl_init('${gatewayUrl}/v1/contacts?' . http_build_query($query));
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('CRIER_TOKEN')],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FAILONERROR => true,
    ]);
    $answer = curl_exec($request);
    if ($answer === false) {
        fwrite(STDERR, curl_error($request) . "\\n");
        exit(1);
    }
    $page = json_decode($answer, true);
    foreach ($page['contacts'] as $contact) {
        echo $contact['contact_id'], ' ', $contact['email'], "\\n";
    }
    $query['cursor'] = $page['next_cursor'];
} while ($page['more']);`,
      ),
      code(
        'cli',
        `cursor=
while
  page=$(crier contact list --limit 200 $cursor) || exit 1
  echo "$page"
  next=$(echo "$page" | sed -n 's/.*"next_cursor":"\\([^"]*\\)".*/\\1/p')
  [ -n "$next" ]
do
  cursor="--cursor $next"
done`,
      ),
      heading('The feed'),
      text(
        '[meta.changes](operations/meta.changes) gives events in their order, oldest first, and always a `next_cursor`: keep it, and pass it next time. `more` says whether to go on at once.',
      ),
      ...callSamples(
        {
          name: 'meta.changes',
          input: { types: ['form.submitted'], limit: 200 },
          request: {
            method: 'GET',
            path: '/v1/changes?types=form.submitted&limit=200',
            body: undefined,
          },
          cli: 'meta changes --types form.submitted --limit 200',
        },
        site,
      ),
      list(
        'Store the cursor together with what you did for the page: then nothing is done twice or left out.',
        'Events are kept 30 days. An older cursor is 409 `cursor_expired`, with `oldest_cursor` to go on from.',
        'A page may be short, or empty, and yet not the last: `more` decides.',
        'Every one to five minutes is often enough; for news at once there are [webhooks](guides/webhooks).',
      ),
    ],
  }
}
