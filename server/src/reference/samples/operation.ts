/** The samples of an operation: one call, in the languages a reader may use. */
import type { Operation } from '../../core/operation.ts'
import { fieldKind } from '../../operations/field-kind.ts'
import { type Code, code } from '../blocks.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { exampleCall } from '../examples/inputs.ts'
import { sdkPackage } from '../packages.ts'
import { type SampleRequest, sampleRequests } from '../routes.ts'
import type { Site } from '../site.ts'
import { json, php, print, python, typescript } from './print.ts'
import { shellLines, shellWord } from './shell.ts'

/** curl for each route. The SDK and the command line know the operation by its name. */
export function operationSamples(operation: Operation, site: Site, ids: ExampleIds = {}): Code[] {
  const input = exampleCall(operation, ids)
  const requests = sampleRequests(operation, ids)
  return [
    ...requests.map((request) => code('curl', curlSample(request, site.gatewayUrl))),
    code('typescript', typescriptSample(operation.name, input, site.appUrl)),
    ...requests
      .slice(0, 1)
      .flatMap((request) => [
        code('python', pythonSample(request, site.gatewayUrl)),
        code('php', phpSample(request, site.gatewayUrl)),
      ]),
    code('cli', cliSample(operation, input)),
  ]
}

/** A call that a guide shows; `cli` is what follows `crier`. */
interface ShownCall {
  name: string
  input: Record<string, unknown>
  request: SampleRequest
  cli: string
}

/** What a sample sends to prove who calls: the token of a sign-in, or an API key. */
type Proof = 'CRIER_TOKEN' | 'CRIER_API_KEY'

/** The samples of a guide's call, in the same languages. */
export function callSamples(
  { name, input, request, cli }: ShownCall,
  { appUrl, gatewayUrl }: Site,
  proof: Proof = 'CRIER_TOKEN',
): Code[] {
  return [
    code('curl', curlSample(request, gatewayUrl, proof)),
    code('typescript', typescriptSample(name, input, appUrl, proof)),
    code('python', pythonSample(request, gatewayUrl, proof)),
    code('php', phpSample(request, gatewayUrl, proof)),
    code('cli', `crier ${cli}`),
  ]
}

/** A call at the tool endpoint, as a message of JSON-RPC; `cli` is what follows `crier`. */
export function toolSamples(
  { path, body, cli }: { path: string; body: Record<string, unknown>; cli: string },
  { appUrl }: Pick<Site, 'appUrl'>,
): Code[] {
  const request = { method: 'POST' as const, path, body }
  return [
    code('curl', curlSample(request, appUrl)),
    code(
      'typescript',
      `const answer = await fetch(${print(appUrl + path, typescript)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env['CRIER_TOKEN']}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${print(body, typescript, '  ')}),
})
console.log(await answer.text())`,
    ),
    code('python', pythonSample(request, appUrl)),
    code('php', phpSample(request, appUrl)),
    code('cli', `crier ${cli}`),
  ]
}

/** Options that every command has. A field with such a name is written as a pair. */
const taken = new Set(['server', 'business', 'json', 'full'])

export function cliSample({ name, input }: Operation, example: Record<string, unknown>): string {
  const words = Object.entries(example).flatMap(([key, value]) => {
    const schema = input.properties[key]
    const kind = schema ? fieldKind(schema) : 'json'
    const flag = `--${key.replaceAll('_', '-')}`
    if (kind === 'json') return [`${flag} ${shellWord(JSON.stringify(value))}`]
    if (taken.has(key)) return [shellWord(`${key}:=${JSON.stringify(value)}`)]
    if (kind === 'list') return (value as string[]).map((text) => `${flag} ${shellWord(text)}`)
    if (kind === 'boolean') return [value === true ? flag : `${key}:=false`]
    return [`${flag} ${shellWord(String(value))}`]
  })
  return shellLines([`crier ${name.replaceAll('.', ' ')}`, ...words])
}

/** A call as curl sends it. */
function curlSample(
  { method, path, body }: SampleRequest,
  gatewayUrl: string,
  proof: Proof = 'CRIER_TOKEN',
): string {
  const url = shellWord(`${gatewayUrl}${path}`)
  const parts = [
    method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`,
    `-H "Authorization: Bearer $${proof}"`,
  ]
  if (body) parts.push(`-H 'Content-Type: application/json'`, `-d ${shellWord(print(body, json))}`)
  return shellLines(parts)
}

/** A call as a complete program that uses the SDK. */
function typescriptSample(
  name: string,
  input: Record<string, unknown>,
  url: string,
  proof: Proof = 'CRIER_TOKEN',
): string {
  return `${proof === 'CRIER_TOKEN' ? clientIn(url) : clientWithKey(url)}

const answer = await client.${name}(${argumentOf(input)})
console.log(answer)`
}

const clientIn = (url: string) => `import { createClient, sealedFile } from '${sdkPackage}/node'

const client = createClient({
  url: ${print(url, typescript)},
  store: sealedFile({ file: '.crier/connection' }),
})`

const clientWithKey = (url: string) => `import { createClient } from '${sdkPackage}'

const client = createClient({
  url: ${print(url, typescript)},
  apiKey: process.env['CRIER_API_KEY'] ?? '',
})`

const argumentOf = (input: Record<string, unknown>) =>
  Object.keys(input).length > 0 ? print(input, typescript) : ''

export interface NamedCall {
  operation: Operation
  input: Record<string, unknown>
}

/** Several calls as one program that uses the SDK. */
export function typescriptProgram(calls: readonly NamedCall[], url: string): string {
  const lines = calls.map(
    ({ operation: { name }, input }) => `console.log(await client.${name}(${argumentOf(input)}))`,
  )
  return `${clientIn(url)}\n\n${lines.join('\n')}`
}

/** A call as a complete program in Python, with nothing but its standard library. */
function pythonSample(
  { method, path, body }: SampleRequest,
  gatewayUrl: string,
  proof: Proof = 'CRIER_TOKEN',
): string {
  const payload = body && `,\n    data=json.dumps(${print(body, python, '    ')}).encode(),`
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${print(`${gatewayUrl}${path}`, python)},
    method=${print(method, python)},
    headers={
        "Authorization": "Bearer " + os.environ["${proof}"],
        "Content-Type": "application/json",
    }${payload ?? ','}
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())`
}

/** A call as a complete program in PHP, with its extension curl. */
function phpSample(
  { method, path, body }: SampleRequest,
  gatewayUrl: string,
  proof: Proof = 'CRIER_TOKEN',
): string {
  const payload = body && `\n    CURLOPT_POSTFIELDS => json_encode(${print(body, php, '    ')}),`
  return `<?php
$request = curl_init(${print(`${gatewayUrl}${path}`, php)});
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => ${print(method, php)},
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('${proof}'),
        'Content-Type: application/json',
    ],${payload ?? ''}
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($request);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    fwrite(STDERR, "Refused: $answer\\n");
    exit(1);
}
echo $answer;`
}

/** Several requests as one program in Python. */
export function pythonProgram(requests: readonly SampleRequest[], url: string): string {
  const [first] = requests
  if (first && requests.length === 1) return pythonSample(first, url)
  const lines = requests.map(({ method, path, body }) => {
    const values = [method, path, ...(body ? [body] : [])].map((value) => print(value, python))
    return `call(${values.join(', ')})`
  })
  return `import json, os, urllib.request

def call(method, path, body=None):
    request = urllib.request.Request(
        ${print(url, python)} + path,
        method=method,
        headers={
            "Authorization": "Bearer " + os.environ["CRIER_TOKEN"],
            "Content-Type": "application/json",
        },
        data=json.dumps(body).encode() if body else None,
    )
    with urllib.request.urlopen(request) as answer:
        print(answer.read().decode())

${lines.join('\n')}`
}

/** Several requests as one program in PHP. */
export function phpProgram(requests: readonly SampleRequest[], url: string): string {
  const [first] = requests
  if (first && requests.length === 1) return phpSample(first, url)
  const lines = requests.map(({ method, path, body }) => {
    const values = [method, path, ...(body ? [body] : [])].map((value) => print(value, php))
    return `$call(${values.join(', ')});`
  })
  return `<?php
$call = function ($method, $path, $body = null) {
    $request = curl_init(${print(url, php)} . $path);
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => [
            'Authorization: Bearer ' . getenv('CRIER_TOKEN'),
            'Content-Type: application/json',
        ],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    if ($body !== null) {
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    $answer = curl_exec($request);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
        fwrite(STDERR, "Refused: $answer\\n");
        exit(1);
    }
    echo $answer, "\\n";
};

${lines.join('\n')}`
}
