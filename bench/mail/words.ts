/** A unique mail of about 20 kB of HTML: a newsletter's tables, styles and links. */
export function words(n: number): { subject: string; html: string; text: string } {
  const rows = Array.from(
    { length: 48 },
    (_, i) =>
      `<tr><td style="padding:12px 24px;font:16px/1.5 Helvetica,Arial,sans-serif;color:#1c1c21;border-bottom:1px solid #e3e3e8"><a href="https://shop.example/products/${i}?person=${n}" style="color:#4b45c6;text-decoration:none;font-weight:600">Product ${i} für dich</a><br>Made by hand, in the colours of the season, and sent on the same day. Only ${(n * 7 + i) % 90} left – order ${n}.</td></tr>`,
  )
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>News ${n}</title></head><body style="margin:0;background:#f6f6f7"><table role="presentation" width="600" align="center">${rows.join('\n')}</table></body></html>`
  const text = Array.from({ length: 48 }, (_, i) => `Product ${i} for you: order ${n}.`).join('\n')
  return { subject: `News of the week, number ${n}`, html, text }
}
