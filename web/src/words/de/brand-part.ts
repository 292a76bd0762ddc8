import type { brandPart as english } from '../en/brand-part.ts'

export const brandPart: typeof english = {
  header: 'Kopf Ihrer Marke: in den Einstellungen der Marke ändern',
  footer: 'Fuß Ihrer Marke: in den Einstellungen der Marke ändern',
  colour: (name) => `Farbe ${name}`,
}
