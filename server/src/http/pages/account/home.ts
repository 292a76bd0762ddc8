import type { FastifyInstance } from 'fastify'
import { html } from '../../../lib/text/html.ts'
import { accountBar } from '../shared/account-bar.ts'
import { linksTo } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'

/** The first page: how to connect an assistant, and links to the other pages. */
export function registerHome(scope: FastifyInstance, parts: PageParts): void {
  scope.get('/', async (request, reply) => {
    const session = await parts.cookies.session(request, reply)
    const pages = [
      {
        href: '/b',
        name: 'Dashboard',
        about: 'Your businesses: contacts, campaigns and connected apps.',
      },
      {
        href: '/account/invitations',
        name: 'Invitations',
        about: 'Businesses that invited you to become a member.',
      },
      {
        href: '/docs',
        name: 'Reference',
        about: 'Guides and the full reference of operations and events.',
      },
    ]
    const { inbox, phones } = linksTo(parts.config, request)
    if (inbox) {
      const about = 'All email this installation sends. Nothing leaves this machine.'
      pages.push({ href: '/inbox', name: 'Test inbox', about })
    }
    if (phones) {
      const about = 'All text messages this installation sends. You can reply to them here.'
      pages.push({ href: '/phones', name: 'Test phones', about })
    }
    return sendPage(reply, {
      title: 'Home',
      wide: true,
      nav: accountBar(parts, request, reply, session, '/'),
      body: html`<h1>Crier is running</h1>
<section>
<h2>Connect an assistant</h2>
<p>Give this address to any assistant or client that supports MCP. It sends you here to approve access.</p>
<p class="copy"><code>${parts.oauth.addresses.toolEndpoint}</code></p>
</section>
<section>
<h2>Pages</h2>
<ul class="places">${pages.map(
        (page) =>
          html`<li><a href="${page.href}">${page.name}</a><span class="fine">${page.about}</span></li>`,
      )}</ul>
</section>`,
    })
  })
}
