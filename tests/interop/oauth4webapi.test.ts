import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { approve, newPerson } from '../support/clients/sign-in.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness, jsonHeaders, resultOf, toolCall } from './tool-call.ts'

const redirectUri = 'http://127.0.0.1:41872/callback'
// The service runs on loopback without TLS, which the library refuses without this option.
const overHttp = { [oauth.allowInsecureRequests]: true }

test('the oauth4webapi client completes its steps', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const email = newPerson()
  const resource = service.url + toolPath
  let server: oauth.AuthorizationServer
  let client: oauth.Client
  let tokens: oauth.TokenEndpointResponse

  const signIn = async (scope: string) => {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource,
    }).toString()
    const callback = await approve(url, { email })
    // Throws if state differs, or if iss is missing although the metadata promises it.
    const checked = oauth.validateAuthResponse(server, client, callback, state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      checked,
      redirectUri,
      verifier,
      overHttp,
    )
    return oauth.processAuthorizationCodeResponse(server, client, answer)
  }
  const call = (name: string, path = toolPath) =>
    oauth.protectedResourceRequest(
      tokens.access_token,
      'POST',
      new URL(path, service.url),
      new Headers(jsonHeaders),
      toolCall(name),
      overHttp,
    )
  const refresh = async (token = tokens.refresh_token ?? '') => {
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      token,
      overHttp,
    )
    return oauth.processRefreshTokenResponse(server, client, answer)
  }
  const refused = (thrown: unknown) => {
    assert.ok(thrown instanceof oauth.ResponseBodyError)
    assert.equal(thrown.status, 400)
    assert.equal(thrown.error, 'invalid_grant')
    return true
  }
  const challengeOf = async (answer: Promise<Response>) => {
    const thrown: unknown = await answer.then(
      () => assert.fail('the call was answered'),
      (error: unknown) => error,
    )
    assert.ok(thrown instanceof oauth.WWWAuthenticateChallengeError)
    return { status: thrown.status, ...thrown.cause[0]?.parameters }
  }

  await runSteps(t, clients.oauth4webapi, {
    async discover() {
      const found = await oauth.resourceDiscoveryRequest(new URL(resource), overHttp)
      const about = await oauth.processResourceDiscoveryResponse(new URL(resource), found)
      assert.deepEqual(about.authorization_servers, [service.url])
      const issuer = new URL(about.authorization_servers?.[0] ?? '')
      const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp })
      server = await oauth.processDiscoveryResponse(issuer, answer)
      assert.equal(server.authorization_response_iss_parameter_supported, true)
    },
    async register() {
      const answer = await oauth.dynamicClientRegistrationRequest(
        server,
        {
          client_name: 'oauth4webapi',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        overHttp,
      )
      client = await oauth.processDynamicClientRegistrationResponse(answer)
      assert.equal(client['token_endpoint_auth_method'], 'none')
    },
    async 'sign in'() {
      tokens = await signIn('meta:read')
      assert.equal(tokens.expires_in, 3600)
      assert.equal(tokens.scope, 'meta:read')
      // RFC 9068: the library fetches the JWKS and checks type, issuer, audience and expiry.
      const request = new Request(resource, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      const claims = await oauth.validateJwtAccessToken(server, request, resource, overHttp)
      assert.equal(claims.client_id, client.client_id)
    },
    async call() {
      assertOwnBusiness(await resultOf(await call(businessList)))
      assertOwnBusiness(await resultOf(await call(businessList, aliasPath)))
    },
    async 'step up'() {
      const challenge = await challengeOf(call(probe))
      assert.equal(challenge.status, 403)
      assert.equal(challenge.error, 'insufficient_scope')
      assert.equal(challenge.scope, `meta:read ${probeScope}`)
      tokens = await signIn(challenge.scope)
      await resultOf(await call(probe))
    },
    async refresh() {
      const before = tokens
      tokens = await refresh()
      assert.notEqual(tokens.refresh_token, before.refresh_token)
      assert.notEqual(tokens.access_token, before.access_token)
      await resultOf(await call(probe))
    },
    async reuse() {
      const old = tokens
      tokens = await refresh()
      await assert.rejects(refresh(old.refresh_token), refused)
      await resultOf(await call(businessList))
      tokens = await refresh()
    },
    async revoke() {
      const token = tokens.refresh_token ?? ''
      const answer = await oauth.revocationRequest(server, client, oauth.None(), token, overHttp)
      await oauth.processRevocationResponse(answer)
    },
    async 'cut off'() {
      const challenge = await challengeOf(call(businessList))
      assert.equal(challenge.status, 401)
      assert.equal(challenge.error, 'invalid_token')
      await assert.rejects(refresh(), refused)
    },
  })
})
