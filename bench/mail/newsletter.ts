/** A typical newsletter of 20 kB: tables, styles, links, a few values. */
import type { EmailSource } from '../../server/src/templates/source.ts'

const item = (n: number) => `
      <tr>
        <td style="padding:12px 24px;font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5">
          <h2 style="margin:0 0 8px;font-size:19px">Offer ${n}: something that is worth it</h2>
          <p style="margin:0 0 12px">Fifteen percent off until Sunday, for everyone in our city and
          beyond. Come by, or order from home: größer, schöner, besser.</p>
          <a href="https://shop.example.com/offers/${n}?from=newsletter&amp;place=${n}" style="color:#0b5fff">Look at offer ${n}</a>
        </td>
      </tr>`

const items = Array.from({ length: 34 }, (_, n) => item(n + 1))

export const newsletter: EmailSource = {
  subject: 'Offers for {{ contact.name }}',
  html: `<!doctype html>
<html>
  <body style="margin:0;background:#f4f4f4">
    <p>Dear {{ contact.name }}, {% if contact.attributes.points > 10 %}you have {{ contact.attributes.points }} points{% else %}welcome{% endif %}.</p>
    <table role="presentation" width="600" align="center">${items.slice(0, 17).join('')}
    </table>
    <p>In {{ contact.attributes.city }} we are open until eight.</p>
    <table role="presentation" width="600" align="center">${items.slice(17).join('')}
    </table>
    <p>You get this as {{ contact.name }}. <a href="{{ unsubscribe_url }}">Leave</a></p>
  </body>
</html>
`,
}
