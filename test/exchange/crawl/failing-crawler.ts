/** A thread that ends like a crawler that has run out of memory. */
throw new Error('out of memory');
