import { scopes } from '../../core/operation.ts'
import { addressesOf } from '../../oauth/model/addresses.ts'
import { code, heading, list, type Page, steps, table, text } from '../blocks.ts'
import { scopeMeanings } from '../scopes.ts'
import type { Site } from '../site.ts'

export function authenticationGuide(site: Site): Page {
  const { authorization, token, registration, revocation } = addressesOf(site)
  return {
    path: 'guides/authentication',
    title: 'Authentication',
    about:
      'OAuth 2.0, authorization code with PKCE (S256), public clients only. One access token works at both entry points. The SDK and the command line do all of this by themselves.',
    keywords: 'oauth token 401 login scopes',
    blocks: [
      text(
        'A program that cannot sign a person in sends an API key in place of a token: [send from your code](guides/send-from-your-code).',
      ),
      heading('Find the addresses'),
      text('They stand in one document, and change rarely: keep it for an hour at least.'),
      code('sh', `curl ${site.baseUrl}/.well-known/oauth-authorization-server`),
      heading('Register'),
      text(
        'Any program may, once. Redirects to `localhost`, `127.0.0.1` and the known assistants are allowed; the operator allows others with `crier clients allow URI`.',
      ),
      code(
        'sh',
        `curl -X POST ${registration} \\
  -H 'Content-Type: application/json' \\
  -d '{
    "client_name": "My program",
    "redirect_uris": ["http://localhost:8123/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none"
  }'`,
      ),
      heading('Send the person'),
      text(
        'Make a verifier, keep it with a random `state` on your side, and open the authorization endpoint in the person’s browser. They enter their email address, follow the link they are sent, and come back to your redirect with `code` and `state`. Compare `state` before anything else, and use both once.',
      ),
      code(
        'sh',
        `CODE_VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
echo "${authorization}?response_type=code&client_id=$CLIENT_ID&redirect_uri=http://localhost:8123/callback&code_challenge=$CODE_CHALLENGE&code_challenge_method=S256&state=$STATE&scope=forms:read%20audience:write"`,
      ),
      heading('Exchange the code'),
      code(
        'sh',
        `curl -X POST ${token} \\
  -d grant_type=authorization_code \\
  -d code="$CODE" \\
  -d redirect_uri=http://localhost:8123/callback \\
  -d client_id="$CLIENT_ID" \\
  -d code_verifier="$CODE_VERIFIER"`,
      ),
      text(
        'The answer holds `access_token`, good for 3600 seconds, and `refresh_token`, good for 30 days from its last use. Send the first with every call: `Authorization: Bearer …`.',
      ),
      heading('Refresh'),
      code(
        'sh',
        `curl -X POST ${token} \\
  -d grant_type=refresh_token \\
  -d refresh_token="$REFRESH_TOKEN" \\
  -d client_id="$CLIENT_ID"`,
      ),
      list(
        'Refresh 60 seconds before the token expires.',
        'The answer brings a new refresh token; the one you sent is used up. Store the new one before anything else.',
        'On a 401, refresh once and try again; on a second 401, send the person through authorization.',
        'After two `invalid_grant` in a row the connection counts as ended: authorize again.',
        'Refresh tokens are secrets: encrypted where they are kept, never in a log, never in a browser.',
      ),
      heading('Scopes'),
      table(
        ['scope', 'covers'],
        scopes.map((scope) => [`\`${scope}\``, scopeMeanings[scope]]),
      ),
      text(
        'Ask for what you need; the person may untick any but `meta:read`. For another scope later, send them through authorization again. A call without its scope is 403 `scope_required`.',
      ),
      heading('What a connection reaches'),
      steps(
        'The businesses that the person chose, as long as they are a member. Those that come later need a new authorization.',
        'What the scopes allow, and the person’s role in the business: viewer, editor, admin, owner.',
        `Nothing any more, once the person revokes it under \`${site.appUrl}/b/connections\` or the program does at \`${revocation}\`.`,
      ),
    ],
  }
}
