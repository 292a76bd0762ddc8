/** A route handler of Next.js, `app/orders/route.ts`: it sends a receipt written with React Email. */
import { createClient } from '@crier-mail/sdk'
import { sendReact } from '@crier-mail/sdk/react'
import { createElement } from 'react'

interface Order {
  id: string
  email: string
  total: string
}

/** With JSX, in a file that ends in `.tsx`: `<p>Thank you. You paid <b>{total}</b>.</p>`. */
function Receipt({ id, total }: Pick<Order, 'id' | 'total'>) {
  return createElement(
    'html',
    { lang: 'en' },
    createElement('h1', null, `Order ${id}`),
    createElement('p', null, 'Thank you. You paid ', createElement('b', null, total), '.'),
  )
}

export async function POST(request: Request): Promise<Response> {
  const client = createClient({
    url: process.env['CRIER_URL'] ?? 'http://localhost:8080',
    apiKey: process.env['CRIER_API_KEY'] ?? '',
  })
  const { id, email, total } = (await request.json()) as Order
  const { message_id } = await sendReact(client, createElement(Receipt, { id, total }), {
    to: email,
    subject: `Your receipt for order ${id}`,
    idempotency_key: `receipt-${id}`,
  })
  return Response.json({ message_id }, { status: 202 })
}
