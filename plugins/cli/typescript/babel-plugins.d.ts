/** Packages that come without types of their own. */
declare module "@babel/plugin-proposal-decorators";
declare module "@babel/plugin-transform-class-properties";
declare module "@babel/plugin-transform-explicit-resource-management";
declare module "@babel/plugin-transform-modules-commonjs";
declare module "@babel/plugin-transform-react-jsx";
declare module "@babel/plugin-transform-typescript";
