/** The engine's own `import()`: what compiles this program's source puts another in place of the word. */
module.exports = (specifier) => import(specifier);
