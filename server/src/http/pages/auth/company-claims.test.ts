/** What Entra, Google Workspace, Okta and Keycloak say of a person, each in its own way. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import { testVault } from '../../../../../tests/support/clients/authorization.ts'
import {
  type IdentityProvider,
  identityProvider,
  type ProviderOptions,
} from '../../../../../tests/support/clients/identity-provider.ts'
import type { PageVisitor, Visited } from '../../../../../tests/support/clients/page-visitor.ts'
import { type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import type { GroupRole } from '../../../accounts/identities/provider.ts'
import { createRelyingParty } from '../../../accounts/identities/relying-party.ts'
import { formatId, type Id } from '../../../core/ids.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { sql } from '../../../lib/db/db.ts'
import { createOutbound } from '../../../lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from '../../../lib/http-client/outbound-guard.ts'
import { hours, minutes } from '../../../lib/time/clock.ts'

const cookie = '__Host-crier-session'

let database: TestDatabase
const opened: IdentityProvider[] = []
const outbound = lazily(async () => {
  const rule = parseAllowRule('127.0.0.1/32:*')
  assert.ok(rule)
  return createOutbound({ guard: createGuard({ allowHttp: false, rules: [rule] }) })
})

before(async () => {
  database = await testDatabase()
})
after(async () => {
  await Promise.all(opened.map((provider) => provider.close()))
  await outbound.ifMade((made) => made.close())
  await database.drop()
})

interface Company {
  id: Id<'business'>
  domain: string
  pages: PagesWorld
  provider: IdentityProvider
  /** Types an address of the domain; returns where the browser is sent. */
  begin(visitor: PageVisitor): Promise<string>
  /** Signs in there as the person, and comes back. */
  signIn(claims: Record<string, unknown>, visitor?: PageVisitor): Promise<Visited>
  roleOf(email: string): Promise<string | undefined>
  /** Lets the hour go by for which it is known what the provider says of itself. */
  forget(): void
}

interface CompanyOptions extends Omit<ProviderOptions, 'returnUrls'> {
  roles?: GroupRole[]
  defaultRole?: string | null
  trustsAddresses?: boolean
}

/** A business with a proven domain, and its provider. */
async function companyAt({
  roles = [],
  defaultRole = null,
  trustsAddresses = false,
  ...kind
}: CompanyOptions): Promise<Company> {
  const id = await newBusiness(database.db)
  const domain = `${crypto.randomUUID().slice(0, 8)}.example`
  const returnUrl = `https://app.example/login/company/${formatId('business', id)}/return`
  const provider = await identityProvider({ returnUrls: [returnUrl], ...kind })
  opened.push(provider)
  let elapsed = 0
  const party = lazily(async () =>
    createRelyingParty({
      outbound,
      log: silentLog,
      elapsed: () => elapsed,
      ...(kind.isLikeGoogle && { google: provider.issuer }),
    }),
  )
  const pages = pagesWorld(database.db, { signup: 'invite' }, { party })
  const secret = Buffer.from(provider.clientSecret)
  await database.db.run(sql`
    insert into identity_providers (business_id, issuer, client_id, client_secret, name, roles,
      default_role, trusts_addresses, saved_at)
    values (${id}, ${provider.issuer}, ${provider.clientId},
      ${testVault.seal(`identity_providers ${id}`, secret)}, 'Example Works',
      ${JSON.stringify(roles)}::jsonb, ${defaultRole}, ${trustsAddresses}, now())
  `)
  await database.db.run(sql`
    insert into provider_domains (business_id, domain, added_at, proven_at)
    values (${id}, ${domain}, now(), now())
  `)
  const begin = async (visitor: PageVisitor) => {
    const login = await visitor.get('/login?again=yes')
    const form = login.forms[0]
    assert.ok(form)
    const action = new URL('/login/company', form.action).href
    const values = { email: `somebody@${domain}`, company: 'address' }
    const page = await visitor.submit(login, values, {}, { ...form, action })
    assert.equal(page.status, 200, page.body)
    return page.to ?? ''
  }
  return {
    id,
    domain,
    pages,
    provider,
    begin,
    async signIn(claims, visitor = pages.visitor()) {
      const url = await begin(visitor)
      const person = { sub: crypto.randomUUID(), ...claims }
      const consents = !kind.isLikeGoogle
      const back = new URL(await provider.signIn(url, person, { consents }))
      return visitor.get(`${back.pathname}${back.search}`)
    },
    async roleOf(email) {
      const row = await database.db.maybe<{ role: string }>(sql`
        select m.role from memberships m join users u on u.id = m.user_id
        where m.business_id = ${id} and u.email = ${email}
      `)
      return row?.role
    },
    forget() {
      elapsed += hours(1)
    },
  }
}

const staff = '0760b6cf-170e-4a14-91b3-4b78e0739963'
const leaders = '3b2b0c93-acd8-4208-8eba-7a48db1cd4c0'

/** An ID token of Entra, version 2.0, with the optional claims `email` and `groups`. */
const entra = (claims: Record<string, unknown>) => ({
  name: 'Ana Example',
  oid: crypto.randomUUID(),
  tid: 'd5a1c7b4-2b70-4f7e-9f4c-3c0f8a8f3a11',
  preferred_username: 'ana@example.onmicrosoft.com',
  ...claims,
})

test('Entra sends ids of groups and no email_verified: its addresses count where they are trusted', async () => {
  const roles: GroupRole[] = [
    { group: staff, role: 'editor' },
    { group: leaders, role: 'admin' },
  ]
  const kind = { saysInToken: true, roles }
  const company = await companyAt({ ...kind, trustsAddresses: true })
  const email = `ana@${company.domain}`
  const done = await company.signIn(entra({ email, groups: [staff, leaders] }))
  assert.equal(done.status, 303, done.body)
  assert.equal(await company.roleOf(email), 'admin')
  // A guest of another company, and an account without the optional claim.
  const guest = await company.signIn(entra({ email: 'bea@elsewhere.example', groups: [leaders] }))
  assert.equal(guest.status, 403)
  assert.match(guest.body, /not for people of this mail domain/)
  const nameless = await company.signIn(entra({ groups: [leaders] }))
  assert.match(nameless.body, /did not tell us your email address/)
  const wary = await companyAt(kind)
  const unsure = await wary.signIn(entra({ email: `ana@${wary.domain}`, groups: [staff] }))
  assert.equal(unsure.status, 403)
  assert.match(unsure.body, /has not verified/)
})

test('of whom Entra leaves the groups out, since there are too many, nobody gets a role by guess', async () => {
  const overage = (email: string, sub = crypto.randomUUID()) =>
    entra({
      sub,
      email,
      _claim_names: { groups: 'src1' },
      _claim_sources: {
        src1: { endpoint: 'https://graph.microsoft.com/v1.0/users/x/getMemberObjects' },
      },
    })
  const roles: GroupRole[] = [{ group: staff, role: 'viewer' }]
  const kind = { saysInToken: true, trustsAddresses: true, defaultRole: 'editor' }
  const company = await companyAt({ ...kind, roles })
  const email = `ana@${company.domain}`
  // Her group would give her less than everybody else has.
  const refused = await company.signIn(overage(email))
  assert.equal(refused.status, 403)
  assert.match(refused.body, /more groups than your company’s sign-in names/)
  assert.equal(await company.roleOf(email), undefined)
  // Who is a member already keeps the role, and needs no groups.
  const sub = crypto.randomUUID()
  const bea = `bea@${company.domain}`
  await company.signIn(entra({ sub, email: bea, groups: [staff] }))
  assert.equal((await company.signIn(overage(bea, sub))).status, 303)
  assert.equal(await company.roleOf(bea), 'viewer')
  const open = await companyAt(kind)
  const cleo = `cleo@${open.domain}`
  assert.equal((await open.signIn(overage(cleo))).status, 303)
  assert.equal(await open.roleOf(cleo), 'editor')
})

test('Google stands for the addresses of an organisation, and for no address elsewhere that somebody had once', async () => {
  const company = await companyAt({ isLikeGoogle: true, defaultRole: 'viewer' })
  const { domain } = company
  const email = `ana@${domain}`
  // A private account with this address: who has left the company may have it still.
  const claims = { email, email_verified: true }
  const privateAccount = await company.signIn(claims)
  assert.equal(privateAccount.status, 403)
  assert.match(privateAccount.body, /has not verified/)
  assert.equal((await company.signIn({ ...claims, hd: domain })).status, 303)
  assert.equal(await company.roleOf(email), 'viewer')
  const unverified = { email: `bea@${domain}`, hd: domain, email_verified: false }
  assert.equal((await company.signIn(unverified)).status, 403)
})

test('Google gives a refresh token with a consent alone, so who has none is asked once more', async () => {
  const company = await companyAt({ isLikeGoogle: true, defaultRole: 'viewer' })
  const { domain, provider, pages } = company
  const email = `ana@${domain}`
  const person = { sub: crypto.randomUUID(), email, email_verified: true, hd: domain }
  const first = new URL(await company.begin(pages.visitor()))
  assert.equal(first.searchParams.get('access_type'), 'offline')
  assert.equal(first.searchParams.get('prompt'), null, 'nobody is asked each time')
  const tokenOf = async () =>
    (
      await database.db.one<{ token: Buffer | null }>(sql`
        select refresh_token as token from identities where subject = ${person.sub}
      `)
    ).token
  assert.equal((await company.signIn(person)).to, '/b')
  assert.ok(await tokenOf(), 'with the first consent')
  assert.equal((await company.signIn(person)).to, '/b')
  // Here it is gone, as after a refusal there or a restored backup.
  await database.db.run(sql`update identities set refresh_token = null`)
  const visitor = pages.visitor()
  const again = new URL((await company.signIn(person, visitor)).to ?? '')
  assert.equal(again.origin, new URL(provider.issuer).origin)
  assert.equal(again.searchParams.get('prompt'), 'consent')
  assert.equal(again.searchParams.get('login_hint'), email)
  assert.equal(visitor.cookies.get(cookie), undefined)
  const back = new URL(await provider.signIn(again.href, person))
  const done = await visitor.get(`${back.pathname}${back.search}`)
  assert.deepEqual([done.status, done.to], [303, '/b'])
  assert.ok(visitor.cookies.get(cookie))
  assert.ok(await tokenOf())
  // Who gives none then either is signed in all the same, and not asked without end.
  await database.db.run(sql`update identities set refresh_token = null`)
  const third = new URL((await company.signIn(person, visitor)).to ?? '')
  third.searchParams.delete('prompt')
  const home = new URL(await provider.signIn(third.href, person))
  assert.equal((await visitor.get(`${home.pathname}${home.search}`)).to, '/b')
  assert.equal(await tokenOf(), null)
})

test('whose token Google has refused is asked for consent once more, and confirmed by any sign-in', async () => {
  const company = await companyAt({ isLikeGoogle: true, defaultRole: 'viewer' })
  const { domain, provider, pages } = company
  const email = `ana@${domain}`
  const person = { sub: crypto.randomUUID(), email, email_verified: true, hd: domain }
  const tokenNow = () =>
    database.db.one<{ token: Buffer | null; refusedAt: Date | null }>(sql`
      select refresh_token as token, refused_at as "refusedAt"
      from identities where subject = ${person.sub}
    `)
  // Google refused many at once, so the token stayed.
  const refuse = () =>
    database.db.run(sql`update identities set refused_at = now() where subject = ${person.sub}`)
  assert.equal((await company.signIn(person)).to, '/b')
  const refused = (await tokenNow()).token
  assert.ok(refused)
  await refuse()
  const visitor = pages.visitor()
  const again = new URL((await company.signIn(person, visitor)).to ?? '', 'https://app.example')
  assert.equal(again.searchParams.get('prompt'), 'consent')
  const back = new URL(await provider.signIn(again.href, person))
  assert.equal((await visitor.get(`${back.pathname}${back.search}`)).to, '/b')
  const renewed = await tokenNow()
  assert.ok(renewed.token)
  assert.notDeepEqual(renewed.token, refused)
  assert.equal(renewed.refusedAt, null)
  // Who gives none then either is there all the same, and the refused one is not sent again.
  await refuse()
  const third = new URL((await company.signIn(person, visitor)).to ?? '', 'https://app.example')
  third.searchParams.delete('prompt')
  const home = new URL(await provider.signIn(third.href, person))
  assert.equal((await visitor.get(`${home.pathname}${home.search}`)).to, '/b')
  assert.deepEqual(await tokenNow(), { token: null, refusedAt: null })
})

test('Okta names the groups to who asks for them, which is done where groups give roles', async () => {
  const roles: GroupRole[] = [{ group: 'Marketing', role: 'editor' }]
  const company = await companyAt({ hasGroupScope: true, roles })
  const email = `ana@${company.domain}`
  const url = new URL(await company.begin(company.pages.visitor()))
  assert.equal(url.searchParams.get('scope'), 'openid email profile groups offline_access')
  const claims = { email, email_verified: true, groups: ['Everyone', 'Marketing'] }
  assert.equal((await company.signIn(claims)).status, 303)
  assert.equal(await company.roleOf(email), 'editor')
  const bare = await companyAt({ hasGroupScope: true, defaultRole: 'viewer' })
  const plain = new URL(await bare.begin(bare.pages.visitor()))
  assert.equal(plain.searchParams.get('scope'), 'openid email profile offline_access')
})

const marketers: GroupRole[] = [{ group: 'Marketing', role: 'editor' }]

/** The scopes that are asked for beside those of every sign-in. */
const furtherScopes = (url: string) => new URL(url).searchParams.get('scope')?.split(' ').slice(3)

/** The browser comes back with this error, which anybody may have written into the address. */
async function comeBackWith(
  company: Company,
  visitor: PageVisitor,
  error: string,
): Promise<Visited> {
  const url = new URL(await company.begin(visitor))
  const back = new URL(url.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('error', error)
  back.searchParams.set('state', url.searchParams.get('state') ?? '')
  back.searchParams.set('iss', company.provider.issuer)
  return visitor.get(`${back.pathname}${back.search}`)
}

test('a refused scope is left out of the next sign-in of that browser, offline access first', async () => {
  const company = await companyAt({ hasGroupScope: true, roles: marketers, defaultRole: 'viewer' })
  const visitor = company.pages.visitor()
  const scopesNow = async () => furtherScopes(await company.begin(visitor))
  assert.equal((await comeBackWith(company, visitor, 'access_denied')).status, 403)
  assert.deepEqual(await scopesNow(), ['groups', 'offline_access'])
  for (const [error, left] of [
    ['invalid_scope', ['groups']],
    ['not_allowed', ['offline_access']],
    ['invalid_scope', []],
    ['invalid_scope', []],
  ] as const) {
    assert.equal((await comeBackWith(company, visitor, error)).status, 403)
    assert.deepEqual(await scopesNow(), left)
  }
  // Whoever only says that the provider refused takes nothing from anybody else.
  assert.deepEqual(furtherScopes(await company.begin(company.pages.visitor())), [
    'groups',
    'offline_access',
  ])
  company.pages.clock.forward(minutes(11))
  assert.deepEqual(await scopesNow(), ['groups', 'offline_access'])
})

test('a provider that refuses offline access still names the groups, and is asked for it no more', async () => {
  const kind = { hasGroupScope: true, refusesOffline: true }
  const company = await companyAt({ ...kind, roles: marketers, defaultRole: 'viewer' })
  const email = `ana@${company.domain}`
  const claims = { email, email_verified: true, groups: ['Marketing'] }
  const visitor = company.pages.visitor()
  assert.equal((await company.signIn(claims, visitor)).status, 403)
  assert.equal((await company.signIn(claims, visitor)).status, 303)
  assert.equal(await company.roleOf(email), 'editor')
  const others = () => company.begin(company.pages.visitor())
  assert.deepEqual(furtherScopes(await others()), ['groups'], 'it signed somebody in without')
  company.forget()
  assert.deepEqual(furtherScopes(await others()), ['groups', 'offline_access'], 'for an hour')
})

test('Keycloak names groups by their path or their name; roles of the realm are no groups', async () => {
  const roles: GroupRole[] = [
    { group: 'staff', role: 'editor' },
    { group: '/shop/leads', role: 'admin' },
    { group: 'admin', role: 'admin' },
  ]
  const company = await companyAt({ saysInToken: true, roles, defaultRole: 'viewer' })
  const cases: [Record<string, unknown>, string][] = [
    [{ groups: ['staff'] }, 'editor'],
    [{ groups: ['/staff'] }, 'editor'],
    [{ groups: ['/shop/leads', '/staff'] }, 'admin'],
    // A group of this name further down is another one.
    [{ groups: ['/shop/staff'] }, 'viewer'],
    [{ groups: ['leads'] }, 'viewer'],
    // Whoever administers the realm is not the admin of a business by that.
    [{ realm_access: { roles: ['admin', 'offline_access'] } }, 'viewer'],
    [{ resource_access: { crier: { roles: ['admin'] } } }, 'viewer'],
    [{ groups: 'staff' }, 'viewer'],
    [{ groups: [{ name: 'staff' }, 7, null] }, 'viewer'],
  ]
  for (const [claims, role] of cases) {
    const email = `${crypto.randomUUID()}@${company.domain}`
    const done = await company.signIn({ email, email_verified: true, ...claims })
    assert.equal(done.status, 303, JSON.stringify(claims))
    assert.equal(await company.roleOf(email), role, JSON.stringify(claims))
  }
})
