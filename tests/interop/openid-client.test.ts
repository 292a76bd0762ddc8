import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oidc from 'openid-client'
import { approve, newPerson } from '../support/clients/sign-in.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness, jsonHeaders, resultOf, toolCall } from './tool-call.ts'

const redirectUri = 'http://localhost:41871/callback'
// The service runs on loopback without TLS, which the library refuses without this option.
const overHttp: oidc.DiscoveryRequestOptions & oidc.DynamicClientRegistrationRequestOptions = {
  algorithm: 'oauth2',
  execute: [oidc.allowInsecureRequests],
}

test('the openid-client library completes its steps', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const email = newPerson()
  let config: oidc.Configuration
  let tokens: oidc.TokenEndpointResponse

  const signIn = async (scope: string) => {
    const verifier = oidc.randomPKCECodeVerifier()
    const state = oidc.randomState()
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: service.url + toolPath,
    })
    const callback = await approve(url, { email })
    assert.equal(callback.searchParams.get('iss'), service.url)
    return oidc.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
  }
  const call = (name: string, path = toolPath) =>
    oidc.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(path, service.url),
      'POST',
      toolCall(name),
      new Headers(jsonHeaders),
    )
  const refresh = () => oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
  const refused = (status: number, error: string) => (thrown: oidc.ResponseBodyError) =>
    thrown.status === status && thrown.error === error
  const challenged = (status: number, error: string) => (thrown: unknown) => {
    assert.ok(thrown instanceof oidc.WWWAuthenticateChallengeError)
    assert.equal(thrown.status, status)
    assert.equal(thrown.cause[0]?.parameters.error, error)
    return true
  }

  await runSteps(t, clients.openidClient, {
    async discover() {
      const found = await oidc.discovery(
        new URL(service.url),
        'unregistered',
        undefined,
        oidc.None(),
        overHttp,
      )
      const server = found.serverMetadata()
      assert.equal(server.issuer, service.url)
      assert.equal(server.supportsPKCE(), true)
    },
    async register() {
      config = await oidc.dynamicClientRegistration(
        new URL(service.url),
        {
          client_name: 'openid-client',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        oidc.None(),
        overHttp,
      )
      assert.ok(config.clientMetadata().client_id)
    },
    async 'sign in'() {
      tokens = await signIn('meta:read')
      assert.equal(tokens.token_type, 'bearer')
      assert.equal(tokens.expires_in, 3600)
      assert.match(tokens.refresh_token ?? '', /^rt_/)
      assert.equal(tokens.scope, 'meta:read')
    },
    async call() {
      assertOwnBusiness(await resultOf(await call(businessList)))
      assertOwnBusiness(await resultOf(await call(businessList, aliasPath)))
    },
    async 'step up'() {
      await assert.rejects(call(probe), (thrown: unknown) => {
        challenged(403, 'insufficient_scope')(thrown)
        const [challenge] = (thrown as oidc.WWWAuthenticateChallengeError).cause
        assert.equal(challenge?.parameters.scope, `meta:read ${probeScope}`)
        return true
      })
      tokens = await signIn(`meta:read ${probeScope}`)
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
      await assert.rejects(
        oidc.refreshTokenGrant(config, old.refresh_token ?? ''),
        refused(400, 'invalid_grant'),
      )
      await resultOf(await call(businessList))
      tokens = await refresh()
    },
    async revoke() {
      await oidc.tokenRevocation(config, tokens.refresh_token ?? '')
    },
    async 'cut off'() {
      await assert.rejects(call(businessList), challenged(401, 'invalid_token'))
      await assert.rejects(refresh(), refused(400, 'invalid_grant'))
    },
  })
})
