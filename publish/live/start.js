/* A script of the old kind, which browsers read from disk without complaint; modules they do not. */
if (location.protocol !== 'file:') import('./page.js');
