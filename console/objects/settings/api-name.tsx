import classes from './api-name.module.css';

/** What the API calls a field, for integrators, at the end of the line with its title. */
export const ApiName = ({ name }: { readonly name: string }) => <code className={classes.name}>{name}</code>;
