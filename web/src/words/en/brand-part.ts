export const brandPart = {
  header: 'Header of your brand: change it in the brand settings',
  footer: 'Footer of your brand: change it in the brand settings',
  colour: (name: string) => `Colour ${name}`,
}
